import type { Instance, HostingService } from '../../../platform/hosting/service.ts';
import { type Expected, knownCosts, type ReadDailyCosts } from '../range/expected.ts';
import { toDecimal } from '../../../core/money/amount.ts';
import { asUnread } from '../../../platform/hosting/hosting-error.ts';
import { readBalance, withExpected } from '../balance/reading.ts';

/** The balance and the list of instances as they were read. Amounts are decimals, times Unix ms. */
export interface BalanceRead {
  readonly balance: string;
  readonly perDay?: string;
  readonly at: number;
  /** How long it is likely to last, where the days before tell that. */
  readonly expected?: Expected;
  /** Left out where no list could be read. */
  readonly list?: {
    /** When it was read. */
    readonly at: number;
    readonly instances: readonly Pick<
      Instance,
      'id' | 'name' | 'tier' | 'status' | 'dailyCostCredits' | 'pausedFor' | 'isPaidByDay'
    >[];
    /** Whether these are all there are. */
    readonly isWhole: boolean;
  };
}

/** The balance, how long it is likely to last, and the list of instances, now. Throws HostingError, or a Refusal where no amount can be read. */
export async function look(
  hosting: HostingService,
  now: () => number,
  dailyCosts: ReadDailyCosts,
): Promise<BalanceRead> {
  // The list first: what a top-up brings back between the two must not be missing beside the balance of before.
  const list = await hosting.listInstances().catch(asUnread);
  const readAt = now();
  const reading = await readBalance(hosting, now);
  const { balance, perDay, asOf, expected } = withExpected(reading, await knownCosts(dailyCosts));
  return {
    balance: toDecimal(balance),
    ...(perDay ? { perDay: toDecimal(perDay) } : {}),
    at: asOf,
    ...(expected ? { expected } : {}),
    // Where it can't be read just now, only names are missing.
    ...(list
      ? {
          list: {
            instances: list.instances,
            isWhole: list.incomplete === undefined,
            at: list.readAtMs === undefined ? asOf : Math.min(list.readAtMs, readAt),
          },
        }
      : {}),
  };
}
