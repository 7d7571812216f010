import { toDecimal } from '../../../core/money/amount.ts';
import { HostingError } from '../../../platform/hosting/hosting-error.ts';
import type { HostingService } from '../../../platform/hosting/service.ts';
import { readBalance } from '../balance/reading.ts';
import { withExpected } from '../balance/with-expected.ts';
import { knownCosts, type ReadDailyCosts } from '../range/expected.ts';
import type { BalanceRead } from './balance-read.ts';

/** The balance, how long it is likely to last, and the list of instances, now. Throws HostingError, or a Refusal where no amount can be read. */
export async function look(
  hosting: HostingService,
  now: () => number,
  dailyCosts: ReadDailyCosts,
): Promise<BalanceRead> {
  // The list first: what a top-up brings back between the two must not be missing beside the balance of before.
  const list = await listNow(hosting, now);
  const reading = await readBalance(hosting, now);
  const { balance, perDay, asOf, expected } = withExpected(reading, await knownCosts(dailyCosts));
  return {
    balance: toDecimal(balance),
    ...(perDay ? { perDay: toDecimal(perDay) } : {}),
    at: asOf,
    ...(expected ? { expected } : {}),
    ...(list ? { list: { ...list, at: list.at ?? asOf } } : {}),
  };
}

/** Undefined where no list can be read just now, which costs no more than its names. */
async function listNow(
  hosting: HostingService,
  now: () => number,
): Promise<(Omit<NonNullable<BalanceRead['list']>, 'at'> & { readonly at: number | undefined }) | undefined> {
  try {
    const { instances, incomplete, readAtMs } = await hosting.listInstances();
    return {
      instances,
      isWhole: incomplete === undefined,
      at: readAtMs === undefined ? undefined : Math.min(readAtMs, now()),
    };
  } catch (error) {
    if (!(error instanceof HostingError)) throw error;
    return undefined;
  }
}
