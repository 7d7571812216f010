import { toDecimal } from '../../credits/amount.ts';
import type { HostingService } from '../../hosting/service.ts';
import { readBalance } from '../reading.ts';
import type { Seen } from './alarm.ts';

/** As many as a card names. */
const MOST_NAMED = 5;

/**
 * The balance as it is written down, with what runs; a list that old is good enough (ms). Throws HostingError, or a Refusal
 * where no amount can be read.
 */
export async function look(hosting: HostingService, now: () => number, freshMs: number): Promise<Seen> {
  const { balance, perDay, asOf } = await readBalance(hosting, now);
  const running = await runningNow(hosting, freshMs);
  return {
    balance: toDecimal(balance),
    ...(perDay ? { perDay: toDecimal(perDay) } : {}),
    at: asOf,
    running: running.slice(0, MOST_NAMED),
    runningCount: running.length,
  };
}

/** What runs; a list that can't be read just now costs no more than its names. */
async function runningNow(
  hosting: HostingService,
  freshMs: number,
): Promise<readonly { id: string; name: string }[]> {
  try {
    const { instances } = await hosting.listInstances({ freshMs });
    return instances.filter(({ status }) => status === 'running').map(({ id, name }) => ({ id, name }));
  } catch {
    return [];
  }
}
