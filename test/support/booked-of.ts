import type { Booked, Sums } from '../../src/features/billing/ledger/day.ts';

/** What the transactions of a day come to, that were read at some time. */
export function bookedOf(used: Sums, over: Partial<Booked> = {}): Booked {
  return { asOf: 0, used, added: {}, total: '0', unreadable: 0, names: {}, run: '', ...over };
}
