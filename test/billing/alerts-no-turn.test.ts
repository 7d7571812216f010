import { expect, test } from 'vitest';
import { type Alarm, NO_ALARM } from '../../src/features/billing/alerts/alarm.ts';
import { balanceMeasure } from '../../src/features/billing/alerts/balance-measure.ts';
import { judge, judgeNoCall } from '../../src/features/billing/alerts/judge.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { rulesOf, thresholdsIn } from './judged.ts';

const rules = rulesOf(balanceMeasure(thresholdsIn('days', 5n, 2n)), {
  steps: [{ afterMs: TIMINGS.escalateAfterMs, people: [{ userId: 'U1', isAway: false }], isRead: true }],
});
const low: Alarm = judge(NO_ALARM, { balance: '10', perDay: '10', at: 1_000 }, rules, 1_000);

test('alerts switched off end at a look that had no turn, too', () => {
  const off = judgeNoCall(low, { ...rules, isOff: true }, 2_000);
  expect([off.level, off.episodes.map(({ closed }) => closed?.how)]).toEqual(['ok', ['off']]);
  const { to: _, ...nowhere } = rules;
  expect(judgeNoCall(low, { ...nowhere, to: undefined }, 2_000).episodes[0]?.closed?.how).toBe('off');
});

test('what nobody is on is escalated at a look that had no turn, too', () => {
  const steps = rules.steps.map((step) => ({ ...step, afterMs: 500 }));
  const after = judgeNoCall(low, { ...rules, steps }, 2_000);
  expect(after.episodes[0]?.notices.map(({ kind }) => kind)).toContain('escalation');
});
