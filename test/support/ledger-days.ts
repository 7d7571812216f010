import { daysFrom } from '../../src/features/billing/ledger/days.ts';
import type { Booked } from '../../src/features/billing/ledger/day.ts';
import { dayAt } from '../../src/features/billing/ledger/day.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { bookedOf } from './booked-of.ts';
import { instead } from './instead.ts';
import { play, type PlayOptions } from './sandbox.ts';

const DAY_MS = 86_400_000;

/** The ledger has so many days until yesterday, each of about as many credits as today. */
export function withDays(count: number, options: PlayOptions = {}): Promise<Sandbox> {
  const booked = (index: number): Booked => {
    const total = `${650 + ((index * 37) % 50)}`;
    return bookedOf({ daily_charge: [['101', total]] }, { total });
  };
  const first = dayAt(Date.now() - count * DAY_MS);
  return play({
    ...options,
    env: { LAMPLIGHTER_EVERYONE: 'finance', ...options.env },
    faultPoints: instead('ledger days', 'listCosts', (_, from, to) =>
      Promise.resolve(
        daysFrom(String(from), String(to)).map((day, index) => ({
          day,
          record: day >= first ? { booked: booked(index) } : {},
        })),
      ),
    ),
  });
}
