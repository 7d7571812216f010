import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { POWERS } from '../../src/platform/hosting/service.ts';
import { whyAsk } from '../../src/features/instances/before-power.ts';
import type { Past } from '../../src/core/operations/past.ts';
import { RULE_RUNS } from '../support/runs.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;
const past = (what: string, minutesAgo: number, userId = 'U1'): Past => ({
  kind: `instances.${what}`,
  userId,
  at: NOW - minutesAgo * MINUTE,
});
const facts = (list: readonly Past[], isProtected = false, pickedTo?: 'save-credits') => ({
  isProtected,
  past: list,
  userId: 'U1',
  now: NOW,
  pickedTo,
});

describe('a stop or restart is done without a question', () => {
  test.each([
    ['where nothing was done lately', []],
    ['where it was restarted ten minutes ago', [past('restart', 10)]],
    ['where who asks has started it', [past('start', 1)]],
    ['where somebody stopped it', [past('stop', 1, 'U2')]],
    ['where who asks has started it since another did', [past('start', 5), past('start', 50, 'U2')]],
    ['where its add-ons were changed', [{ ...past('x', 1, 'U2'), kind: 'addons.add' }]],
  ])('%s', (_name, list) => {
    expect(whyAsk('stop', facts(list))).toBeUndefined();
    expect(whyAsk('restart', facts(list))).toBeUndefined();
  });
});

describe('a stop or restart asks first', () => {
  test('where it is protected, whatever else', () => {
    const list = [past('restart', 1), past('restart', 2), past('restart', 3)];
    expect(whyAsk('stop', facts([], true))).toEqual({ why: 'protected' });
    expect(whyAsk('restart', facts(list, true))).toEqual({ why: 'protected' });
  });

  test('where it was restarted a moment ago, even by who asks now', () => {
    const latest = past('restart', 9.99);
    for (const power of ['stop', 'restart'] as const) {
      expect(whyAsk(power, facts([latest, past('restart', 300, 'U2')]))).toEqual({
        why: 'restarted-lately',
        past: latest,
      });
    }
  });

  test('where somebody else started it, and names the last who did', () => {
    const started = past('start', 600, 'U2');
    const list = [past('stop', 5), started, past('start', 700, 'U3')];
    for (const power of ['stop', 'restart'] as const) {
      expect(whyAsk(power, facts(list))).toEqual({ why: 'started-by-another', past: started });
    }
  });
});

describe('a restart whose end is unknown', () => {
  const unknown = (minutesAgo: number): Past => ({ ...past('restart', minutesAgo), result: 'unknown' });
  test('is asked about for ten minutes, no matter who asks', () => {
    for (const power of ['stop', 'restart'] as const) {
      expect(whyAsk(power, facts([unknown(9.99), past('restart', 300)]))).toEqual({
        why: 'restart-unknown',
        past: unknown(9.99),
      });
      expect(whyAsk(power, facts([unknown(10)]))).toBeUndefined();
    }
  });
  test('is no part of a loop, and a start whose end is unknown names nobody', () => {
    expect(whyAsk('restart', facts([unknown(20), unknown(30), unknown(40)]))).toBeUndefined();
    expect(whyAsk('stop', facts([{ ...past('start', 20, 'U2'), result: 'unknown' }]))).toBeUndefined();
  });
});

describe('a fourth restart within a day is called a loop', () => {
  const list = [past('restart', 60), past('stop', 70), past('restart', 600), past('restart', 1_400, 'U2')];
  test('by a restart, with how many there were', () => {
    expect(whyAsk('restart', facts(list))).toEqual({ why: 'restart-loop', times: 3 });
    const forced = list.map((one) =>
      one.kind === 'instances.restart' ? { ...one, kind: 'instances.force-restart' } : one,
    );
    expect(whyAsk('restart', facts(forced))).toEqual({ why: 'restart-loop', times: 3 });
    expect(whyAsk('restart', facts([past('restart', 1), ...list]))).toEqual({
      why: 'restart-loop',
      times: 4,
    });
  });
  test('and a third is none, nor is it one to stop it', () => {
    expect(whyAsk('restart', facts(list.slice(0, 3)))).toBeUndefined();
    expect(whyAsk('stop', facts(list))).toBeUndefined();
  });
});

const anyPast = fc
  .array(
    fc.record({
      kind: fc.constantFrom('start', 'stop', 'restart', 'delete').map((what) => `instances.${what}`),
      userId: fc.constantFrom('U1', 'U2'),
      at: fc.integer({ min: NOW - 1_440 * MINUTE, max: NOW }),
      result: fc.constantFrom('done' as const, 'unknown' as const),
    }),
    { maxLength: 6 },
  )
  .map((list) => list.toSorted((one, other) => other.at - one.at));

test('a start never asks, and what is protected always does', () => {
  fc.assert(
    fc.property(anyPast, fc.boolean(), fc.constantFrom(...POWERS), (list, isProtected, power) => {
      const why = whyAsk(power, facts(list, isProtected));
      if (power === 'start') return why === undefined;
      return isProtected ? why?.why === 'protected' : why?.why !== 'protected';
    }),
    { numRuns: RULE_RUNS / 2 },
  );
});

test('what was picked to save credits asks, and for a weightier reason if there is one', () => {
  fc.assert(
    fc.property(anyPast, fc.boolean(), fc.constantFrom(...POWERS), (list, isProtected, power) => {
      const otherwise = whyAsk(power, facts(list, isProtected));
      const why = whyAsk(power, facts(list, isProtected, 'save-credits'));
      if (power === 'start') return why === undefined;
      expect(why).toEqual(otherwise ?? { why: 'save-credits' });
      return true;
    }),
    { numRuns: RULE_RUNS / 2 },
  );
});

test('the person who is named did do it, and the more was done the more is asked', () => {
  fc.assert(
    fc.property(anyPast, fc.constantFrom('stop' as const, 'restart' as const), (list, power) => {
      const why = whyAsk(power, facts(list));
      if (why === undefined)
        return list.every(({ kind, at }) => kind !== 'instances.restart' || NOW - at >= 10 * MINUTE);
      if (why.why === 'restart-loop') return power === 'restart' && why.times >= 3;
      if (why.why === 'protected' || why.why === 'save-credits') return false;
      return (
        list.some((one) => one === why.past) &&
        (why.why === 'restart-unknown') === (why.past.result === 'unknown') &&
        (why.why !== 'started-by-another' || why.past.userId === 'U2')
      );
    }),
    { numRuns: RULE_RUNS / 2 },
  );
});
