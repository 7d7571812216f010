import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AddonChange,
  type AddonRef,
  addonOf,
  judgeBeforeChange,
} from '../../src/features/addons/addon.ts';
import type { Addon, Instance } from '../../src/platform/hosting/service.ts';
import { judgeChange, judgeRefusedChange } from '../../src/core/changes/judge.ts';
import type { OperationWith } from '../../src/core/changes/declaration.ts';
import type { Judgment } from '../../src/core/operations/kind.ts';
import type { Operation, ObservedState } from '../../src/core/operations/operation.ts';
import { instance, NOW, operation, timings } from '../operations/operation.ts';
import { RULE_RUNS } from '../support/runs.ts';

const sentAt = NOW - 1_000;
const accepted = { state: 'accepted', sentAt, acceptedAt: sentAt, sends: 1 } as const;
const unknown = { state: 'unknown', sentAt, sends: 1 } as const;
const end = (result: string, code: string): object => ({ next: 'end', outcome: { result, code } });
const END_LOST = end('unknown', 'no-answer');
const ALREADY = { result: 'done', code: 'already' };
const FOUND_DONE = { result: 'done', code: 'found-done' };
const CHANGED = { result: 'canceled', code: 'changed' };
const GONE = { result: 'canceled', code: 'gone' };
const LOST = { result: 'unknown', code: 'no-answer' };
const REFUSED = { result: 'failed', code: 'wrong-state', said: 'no' };
const look = (status: 'present' | 'gone'): ObservedState => ({ status, word: status, at: NOW });
const TARGET = { add: 'present', remove: 'gone' } as const;

/** An add is sent at once, a removal when its cancel window is over: `overMs` ago. */
function change(
  which: AddonChange,
  execution: Partial<Operation['execution']> = {},
  overMs = 1_100,
  addon: AddonRef = which === 'add' ? { type: 'backup' } : { id: '7', type: 'backup' },
): OperationWith<AddonRef> {
  const one = { ...operation({ execution }), kind: `addons.${which}`, args: addon };
  if (which === 'add') return { ...one, requestedAt: NOW - overMs };
  return {
    ...one,
    requestedAt: NOW - overMs - 120_000,
    cancelWindowMs: 120_000,
    cancelWindowEndsAt: NOW - overMs,
  };
}

/** The rule of every change, as adding and removing use it. */
function judge(which: AddonChange, one: Operation, observed: ObservedState): Judgment {
  const reached = { isReached: observed.status === TARGET[which], mayRepeat: which === 'remove' };
  return judgeChange(one, reached, NOW, timings);
}

function judgeRefused(
  which: AddonChange,
  one: Operation,
  observed: ObservedState | undefined,
  said: string | undefined,
): object {
  return judgeRefusedChange(one, observed?.status === TARGET[which], said);
}

const backup: Addon = { id: '7', type: 'backup', instanceId: '42', status: 'active' };
const web: Instance = instance('running');

describe('the add-on that is meant', () => {
  test.each([
    ['is the one of that type, where it has no id yet', { type: 'backup' }, backup, true],
    ['is the one of that id', { id: '7', type: 'backup' }, backup, true],
    ['is not another of that type', { id: '8', type: 'backup' }, backup, false],
    ['is not one of another type', { type: 'llm' }, backup, false],
    ['is not another instance\u2019s', { type: 'backup' }, { ...backup, instanceId: '43' }, false],
    ['is not one that was canceled', { type: 'backup' }, { ...backup, status: 'Canceled' }, false],
    ['is one without a status', { type: 'backup' }, { id: '7', type: 'backup', instanceId: '42' }, true],
    [
      'is one known by its instance\u2019s name',
      { type: 'backup' },
      { id: '', type: 'backup', instanceName: 'web-1' },
      true,
    ],
    [
      'is not one of an instance of that name with another id',
      { type: 'backup' },
      { ...backup, instanceId: '43', instanceName: 'web-1' },
      false,
    ],
  ] as const)('%s', (_name, wanted, addon, isIt) => {
    expect(addonOf(change('add', {}, 0, wanted), [addon]) !== undefined).toBe(isIt);
  });
});

describe('just before the call', () => {
  const renamed = { ...web, name: 'web-2' };
  const reborn = { ...web, createdAt: '2026-01-01T00:00:00Z' };
  test.each<[AddonChange, string, number, Instance | undefined, readonly Addon[], object | undefined]>([
    ['add', 'nothing of the type is there', 0, web, [], undefined],
    ['add', 'it is there already', 0, web, [backup], ALREADY],
    ['add', 'it is there, after an answer was lost', 1, web, [backup], FOUND_DONE],
    ['add', 'the instance is gone', 0, undefined, [], GONE],
    ['add', 'the instance has another name', 0, renamed, [], CHANGED],
    ['add', 'the instance has another birthday', 0, reborn, [], CHANGED],
    ['add', 'the instance changed, after an answer was lost', 1, renamed, [], LOST],
    ['remove', 'it is there still', 0, web, [backup], undefined],
    ['remove', 'it is gone already', 0, web, [], ALREADY],
    ['remove', 'it is gone, after an answer was lost', 1, web, [], FOUND_DONE],
    ['remove', 'another of the type came in its place', 0, web, [{ ...backup, id: '8' }], ALREADY],
    ['remove', 'it is there still, asked again', 1, web, [backup], undefined],
    ['remove', 'the instance has another name', 0, renamed, [backup], CHANGED],
    ['remove', 'the instance is gone and it is still listed', 0, undefined, [backup], GONE],
    ['remove', 'the instance changed, after an answer was lost', 1, reborn, [backup], LOST],
  ])('to %s: %s', (which, _name, sends, now, addons, inTheWay) => {
    expect(judgeBeforeChange(which, change(which, { sends }), now, { addons })).toEqual(inTheWay);
  });

  test('is a list that is certain to lack some, for an add-on that may be bought twice', () => {
    const inTheWay = (isCertain: boolean, sends = 0): unknown =>
      judgeBeforeChange('add', change('add', { sends }), web, {
        addons: [],
        incomplete: { read: 25, isCertain },
      });
    expect(inTheWay(true)).toEqual({ result: 'canceled', code: 'incomplete' });
    expect(inTheWay(true, 1)).toEqual(LOST);
    expect(inTheWay(false)).toBeUndefined();
  });
});

describe('of an accepted change, a look means', () => {
  const after = (ms: number): object => ({ acceptedAt: NOW - ms });
  test.each<[AddonChange, 'present' | 'gone', object, object]>([
    ['add', 'present', {}, end('done', 'done')],
    ['add', 'gone', {}, { next: 'poll', slow: false }],
    ['add', 'gone', after(timings.slowAfterMs + 1), { next: 'poll', slow: true }],
    ['add', 'gone', after(timings.patienceMs), { next: 'poll', slow: true }],
    ['add', 'gone', after(timings.patienceMs + 1), end('unknown', 'no-end')],
    ['remove', 'gone', {}, end('done', 'done')],
    ['remove', 'present', {}, { next: 'poll', slow: false }],
    ['remove', 'present', after(timings.patienceMs + 1), end('unknown', 'no-end')],
  ])('%s, %s, %o: %o', (which, status, execution, judgment) => {
    const one = change(which, { ...accepted, ...execution });
    expect(judge(which, one, look(status))).toEqual(judgment);
  });
});

test('nothing is slow where changes usually take that long', () => {
  const acceptedAt = NOW - timings.slowAfterMs - 1;
  const one = { ...change('add', { ...accepted, acceptedAt }), longMs: 2 * timings.slowAfterMs };
  expect(judge('add', one, look('gone'))).toEqual({ next: 'poll', slow: false });
});

describe('of a change whose answer is lost, a look means', () => {
  const late = { sentAt: NOW - timings.settleMs };
  const early = { sentAt: NOW - timings.settleMs + 1, answerStatus: 503 };
  const freshMs = 2 * timings.acceptWithinMs;
  test.each<[AddonChange, 'present' | 'gone', object, number, object]>([
    ['add', 'present', {}, 1_100, end('done', 'found-done')],
    ['add', 'gone', {}, 1_100, { next: 'poll' }],
    ['add', 'gone', late, 16_000, END_LOST],
    ['add', 'gone', early, 16_000, { next: 'poll' }],
    ['remove', 'gone', {}, 1_100, end('done', 'found-done')],
    ['remove', 'present', {}, 1_100, { next: 'poll' }],
    ['remove', 'present', late, 16_000, { next: 'send' }],
    ['remove', 'present', early, 16_000, { next: 'poll' }],
    ['remove', 'present', { ...late, sends: 2 }, 40_000, { next: 'send' }],
    ['remove', 'present', { ...late, sends: 3 }, 60_000, END_LOST],
    ['remove', 'present', late, freshMs - 1, { next: 'send' }],
    ['remove', 'present', late, freshMs, END_LOST],
  ])('%s, %s, %o, due %i ms ago: %o', (which, status, execution, overMs, judgment) => {
    const one = change(which, { ...unknown, ...execution }, overMs);
    expect(judge(which, one, look(status))).toEqual(judgment);
  });
});

const anyCase = fc.record({
  which: fc.constantFrom('add' as const, 'remove' as const),
  status: fc.constantFrom('present' as const, 'gone' as const),
  state: fc.constantFrom('accepted' as const, 'unknown' as const),
  age: fc.oneof(fc.nat(30_000), fc.nat(2 * timings.patienceMs)),
  overMs: fc.nat(4 * timings.acceptWithinMs),
  sends: fc.integer({ min: 1, max: 5 }),
  hasProgressed: fc.boolean(),
});

test('an add is never asked twice, and a removal only while it is fresh, and done is only what is as asked', () => {
  fc.assert(
    fc.property(anyCase, ({ which, status, state, age, overMs, sends, hasProgressed }) => {
      const at = NOW - age;
      const execution = { state, sends, hasProgressed, sentAt: at };
      const one = change(
        which,
        { ...execution, ...(state === 'accepted' ? { acceptedAt: at } : {}) },
        overMs + age,
      );
      const judgment = judge(which, one, look(status));
      if (judgment.next === 'send') {
        const settled = age >= timings.settleMs;
        const isFresh = overMs + age < 2 * timings.acceptWithinMs;
        return (
          which === 'remove' && state === 'unknown' && status === 'present' && settled && isFresh && sends < 3
        );
      }
      const isDone = judgment.next === 'end' && judgment.outcome.result === 'done';
      return isDone === (status === TARGET[which]);
    }),
    { numRuns: RULE_RUNS },
  );
});

test('whatever is seen, a change ends once patience has run out', () => {
  fc.assert(
    fc.property(anyCase, ({ which, status, state, sends }) => {
      const at = NOW - timings.patienceMs - 1;
      const taken = state === 'accepted' ? { acceptedAt: at } : {};
      const one = change(which, { state, sends, sentAt: at, ...taken }, timings.patienceMs + 2);
      return judge(which, one, look(status)).next === 'end';
    }),
    { numRuns: RULE_RUNS / 2 },
  );
});

describe('an answer "wrong state" or "no such thing", once it has been looked at, means', () => {
  test.each<[AddonChange, 'present' | 'gone' | undefined, number, object]>([
    ['add', 'present', 1, ALREADY],
    ['add', 'present', 2, FOUND_DONE],
    ['add', 'gone', 1, REFUSED],
    ['add', undefined, 1, REFUSED],
    ['add', undefined, 2, { ...LOST, said: 'no' }],
    ['add', 'gone', 2, { ...LOST, said: 'no' }],
    ['remove', 'gone', 1, ALREADY],
    ['remove', 'gone', 2, FOUND_DONE],
    ['remove', 'present', 1, REFUSED],
    ['remove', undefined, 2, { ...LOST, said: 'no' }],
    ['remove', 'present', 2, { ...LOST, said: 'no' }],
  ])('to %s, seen as %s after %i sends: %o', (which, status, sends, meaning) => {
    const seen = status && look(status);
    expect(judgeRefused(which, change(which, { sends }), seen, 'no')).toEqual(meaning);
  });

  test('without words where the service said none', () => {
    expect(judgeRefused('add', change('add', { sends: 1 }), look('gone'), undefined)).toEqual({
      result: 'failed',
      code: 'wrong-state',
    });
  });
});
