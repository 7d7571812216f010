import { toDecimal } from '../../../core/money/amount.ts';
import { hasNoTurn, HostingError } from '../../../platform/hosting/hosting-error.ts';
import type { HostingService } from '../../../platform/hosting/service.ts';
import { atStake, type Group } from '../balance/at-zero.ts';
import { readBalance } from '../balance/reading.ts';
import type { BalanceSeen } from './balance-seen.ts';

/** As many as a card names. */
const MAX_NAMED = 5;

/**
 * The balance as it is written down, with what runs and what is paused; a list that old is good enough (ms). Throws
 * HostingError, or a Refusal where no amount can be read.
 */
export async function look(
  hosting: HostingService,
  now: () => number,
  freshMs: number,
): Promise<BalanceSeen> {
  // The list first: what a top-up brings back between the two must not be missing beside the balance of before.
  const instances = await instancesNow(hosting, freshMs);
  const { balance, perDay, asOf } = await readBalance(hosting, now);
  return {
    balance: toDecimal(balance),
    ...(perDay ? { perDay: toDecimal(perDay) } : {}),
    at: asOf,
    ...(instances ? { listedAt: asOf, ...instances } : {}),
  };
}

/** Undefined where no whole list can be read just now, which costs no more than its names. */
async function instancesNow(
  hosting: HostingService,
  freshMs: number,
): Promise<Partial<BalanceSeen> | undefined> {
  try {
    const { running, paused } = atStake(await hosting.listInstances({ freshMs }));
    if (!running || !paused) return undefined;
    return {
      running: namedOf(running),
      runningCount: running.count,
      paused: namedOf(paused),
      pausedCount: paused.count,
    };
  } catch (error) {
    if (!(error instanceof HostingError) || hasNoTurn(error)) throw error;
    return undefined;
  }
}

function namedOf({ named }: Group): BalanceSeen['running'] {
  return named.slice(0, MAX_NAMED).map(({ id, name }) => ({ id, name }));
}
