import { expect, test } from 'vitest';
import { toDecimal } from '../../../src/core/money/amount.ts';
import type { Schedule } from '../../../src/core/schedules/schedule-record.ts';
import type { NamedDay } from '../../../src/features/billing/ledger/day.ts';
import { daysFrom } from '../../../src/features/billing/ledger/days.ts';
import {
  mayPropose,
  type Proposals,
  type Proposed,
  withProposed,
  withRefused,
  broughtBy,
  trialOf,
  withTrial,
} from '../../../src/features/billing/proposals/record.ts';
import { bookedOf } from '../../support/booked-of.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-16T00:30Z');
const PROPOSED: Proposed = {
  id: 'proposal-2026-11-15',
  at: NOW - DAY_MS,
  name: 'stg-*',
  instances: [
    { id: '1', name: 'stg-1' },
    { id: '2', name: 'stg-2' },
  ],
  savedOn: ['1.5', '1.5', '1.5', '1.5', '1.5', '4', '4'],
  perMonth: '66',
  isAtLeast: false,
  costPerMonth: '240',
  zone: 'UTC',
};
const RECORD: Proposals = { proposed: PROPOSED, lastAt: PROPOSED.at, refused: [] };

function scheduleOf(ids: readonly string[]): Schedule {
  const instances = ids.map((id) => ({ id, name: `stg-${id}`, status: 'running' as const }));
  const until = NOW + 6 * DAY_MS;
  return {
    id: 'a',
    owner: { userId: 'U1' },
    channelId: 'C1',
    target: { instances },
    when: { kind: 'weekly', zone: 'UTC', rules: [{ verb: 'stop', days: [1], hour: 20, minute: 0 }], until },
    createdAt: 0,
  };
}

/** Days on which both cost 4.1 each, and from the 16th on 2.6; other instances don't count. */
const DAYS = daysFrom('2026-11-02', '2026-11-21').map((day): NamedDay => {
  const cost = day < '2026-11-16' ? '4.1' : '2.6';
  const used = {
    daily_charge: [
      ['1', cost],
      ['2', cost],
      ['3', '100'],
    ] satisfies [string, string][],
  };
  return { day, record: { booked: bookedOf(used) } };
});

test('a trial is a schedule of exactly what was proposed that stops it at night until its end, and one that is kept after it is none', () => {
  const other = scheduleOf(['1']);
  expect(trialOf(PROPOSED, [other, scheduleOf(['2', '1'])])?.target).toMatchObject({
    instances: [{ id: '2' }, { id: '1' }],
  });
  expect(trialOf(PROPOSED, [other])).toBeUndefined();
  const both = scheduleOf(['1', '2']);
  if (both.when.kind !== 'weekly') throw new Error('not weekly');
  const { until: _, ...forGood } = both.when;
  expect(trialOf(PROPOSED, [{ ...both, when: forGood }])).toBeUndefined();
  const rules = both.when.rules.filter(({ verb }) => verb === 'start');
  expect(trialOf(PROPOSED, [{ ...both, when: { ...both.when, rules } }])).toBeUndefined();
  expect(trialOf({ ...PROPOSED, isTried: true }, [scheduleOf(['2', '1'])])).toBeUndefined();
});

test('what a trial has brought is exact, against the same days of two weeks, and not told where a day is missing', () => {
  const { trial } = withTrial(RECORD, scheduleOf(['1', '2']), NOW) ?? {};
  expect(trial).toEqual({ scheduleId: 'a', from: '2026-11-16', to: '2026-11-21' });
  if (!trial) throw new Error('no trial');
  const brought = broughtBy(PROPOSED, trial, DAYS);
  expect(brought && [brought.promised, brought.measured, brought.before].map(toDecimal)).toEqual([
    '11.5',
    '18.00',
    '49.20',
  ]);
  expect(broughtBy(PROPOSED, trial, DAYS.with(3, { day: '2026-11-05', record: {} }))).toBeUndefined();
});

test('one is proposed a week at most, and what nobody answers or wants is not proposed again', () => {
  const later = { ...PROPOSED, id: 'proposal-2026-11-22', at: PROPOSED.at + 7 * DAY_MS };
  expect(withProposed(RECORD, { ...later, at: later.at - 1 })).toBeUndefined();
  expect(withProposed({ ...RECORD, off: { by: 'U1', at: 0 } }, later)).toBeUndefined();
  expect(withProposed(RECORD, later)?.refused[0]?.ids).toEqual(['1', '2']);
  expect(withRefused(RECORD, 'another', NOW)).toBeUndefined();
  expect(mayPropose({ ...RECORD, trial: { scheduleId: 'a', from: '', to: '' } }, later.at)).toBe(false);
});
