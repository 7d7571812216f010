import { expect, it } from 'vitest';
import { toDecimal } from '../../../src/core/money/amount.ts';
import type { NamedDay, Sums } from '../../../src/features/billing/ledger/day.ts';
import { daysFrom } from '../../../src/features/billing/ledger/days.ts';
import { bookedOf } from '../../support/booked-of.ts';
import { createSetAside, type Source } from '../../../src/features/billing/spikes/set-aside.ts';

const DAYS = daysFrom('2026-10-20', '2026-11-19');

/** What is expected of the newest day, on which there were an add-on that no instance has and one of an instance, for the first time. */
function expectedOf(type: string, ...sources: readonly Source[]): string {
  const days = DAYS.map((day, at): NamedDay => {
    const isNewest = at === DAYS.length - 1;
    const addons: Sums = isNewest
      ? { [type]: [['', '90'] as [string, string], ['101', '7'] as [string, string]] }
      : {};
    return { day, record: { booked: bookedOf({ daily_charge: [['101', '20']], ...addons }) } };
  });
  return toDecimal(createSetAside(days)(DAYS.at(-1) ?? '', sources).expected);
}

it('what somebody expects of an add-on without an instance is set aside, whether the service names it or not', () => {
  expect(expectedOf('addon_charge: backup', { type: 'addon_charge: backup' })).toBe('90');
  expect(expectedOf('addon_charge', { type: 'addon_charge' })).toBe('90');
  expect(expectedOf('addon_charge: backup', { type: 'addon_charge' })).toBe('90');
});

it('what instances have added is expected with their instance alone', () => {
  expect(expectedOf('addon_charge: backup', { id: '101' })).toBe('7');
  expect(expectedOf('support_plan', { type: 'addon_charge: backup' })).toBe('0');
});
