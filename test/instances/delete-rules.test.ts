import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Instance, STATUSES } from '../../src/platform/hosting/service.ts';
import {
  judgeBeforeDelete,
  judgeDelete,
  judgeRefusedDelete,
  refuseDelete,
} from '../../src/features/instances/delete-rules.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import { instance, NOW, operation, observed, timings } from '../operations/operation.ts';
import { RULE_RUNS } from '../support/runs.ts';

const ALL = [...STATUSES, 'unknown'] as const;
const BIRTHDAY = '2026-01-01T00:00:00Z';
const CANCEL_WINDOW_MS = 120_000;
const sentAt = NOW - 1_000;
const accepted = { state: 'accepted', sentAt, acceptedAt: sentAt, sends: 1 } as const;
const unknown = { state: 'unknown', sentAt, sends: 1 } as const;
const LOST = { result: 'unknown', code: 'no-answer' };
const CHANGED = { result: 'canceled', code: 'changed' };
const ALREADY = { result: 'done', code: 'already' };
const FOUND_DONE = { result: 'done', code: 'found-done' };
const end = (result: string, code: string): object => ({ next: 'end', outcome: { result, code } });

const END_LOST = end('unknown', 'no-answer');
const NO_END = end('unknown', 'no-end');

interface Wish {
  readonly status?: string;
  readonly createdAt?: string;
  readonly execution?: Partial<Operation['execution']>;
  /** How long ago the cancel window was over. */
  readonly overMs?: number;
}

/** A deletion whose cancel window was over a moment before its call, unless set otherwise. */
function deletion({ status, createdAt, execution = {}, overMs = 1_100 }: Wish): Operation {
  const one = operation({ execution, ...(status === undefined ? {} : { status }) });
  return {
    ...one,
    kind: 'instances.delete',
    subject: { ...one.subject, ...(createdAt === undefined ? {} : { createdAt }) },
    requestedAt: NOW - overMs - CANCEL_WINDOW_MS,
    cancelWindowMs: CANCEL_WINDOW_MS,
    cancelWindowEndsAt: NOW - overMs,
  };
}

const web = (over: Partial<Instance> = {}): Instance => ({
  ...instance('running'),
  createdAt: BIRTHDAY,
  ...over,
});

describe('an instance', () => {
  test.each(ALL.map((status) => [status] as const))('that is %s', (status) => {
    const going = status === 'deleting' || status === 'deleted';
    const onTheWay = ['starting', 'stopping', 'restarting', 'resizing', 'migrating', 'rebuilding'].includes(
      status,
    );
    const refusal = going ? 'deleting' : onTheWay ? 'on-the-way' : undefined;
    expect(refuseDelete(instance(status), false)).toBe(refusal);
    expect(refuseDelete(instance(status), true)).toBe('protected');
    expect(refuseDelete({ ...instance(status), isLocked: true }, false)).toBe(refusal ?? 'locked');
  });
});

describe('just before the call', () => {
  const first = deletion({ createdAt: BIRTHDAY });
  const again = deletion({ createdAt: BIRTHDAY, execution: { sends: 1 } });
  test.each([
    ['it is still what was confirmed, so it is asked for', first, web(), false, undefined],
    ['its status no longer matters to the first call', first, web({ status: 'stopped' }), false, undefined],
    ['it is gone already', first, undefined, false, ALREADY],
    ['it is gone, after a lost answer', again, undefined, false, FOUND_DONE],
    ['it has another name', first, web({ name: 'web-2' }), false, CHANGED],
    ['it has another birthday', first, web({ createdAt: 'x' }), false, CHANGED],
    [
      'no birthday was ever given, so id and name must do',
      deletion({}),
      instance('running'),
      false,
      undefined,
    ],
    ['it is deleted, and has lost its birthday', first, instance('deleted'), false, ALREADY],
    ['it has become protected', first, web(), true, { result: 'canceled', code: 'protected' }],
    ['asked again, it has become protected', again, web(), true, LOST],
    ['asked again, it is deleted', again, web({ status: 'deleted' }), false, FOUND_DONE],
    ['it is provably as it was, so it is asked again', again, web(), false, undefined],
    ['asked again, it has another name', again, web({ name: 'web-2' }), false, LOST],
    ['asked again, it has another status', again, web({ status: 'stopped' }), false, LOST],
    [
      'asked again, a sign of something was seen',
      deletion({ createdAt: BIRTHDAY, execution: { sends: 1, hasProgressed: true } }),
      web(),
      false,
      LOST,
    ],
    [
      'asked again, it never had a birthday',
      deletion({ execution: { sends: 1 } }),
      { ...instance('running') },
      false,
      LOST,
    ],
  ] as const)('%s', (_name, one, now, isProtected, inTheWay) => {
    expect(judgeBeforeDelete(one, now, isProtected)).toEqual(inTheWay);
  });
});

describe('of an accepted deletion, a look means', () => {
  const patience = { sentAt: NOW - timings.patienceMs - 1, acceptedAt: NOW - timings.patienceMs - 1 };
  test.each([
    [observed('gone'), {}, end('done', 'done')],
    [observed('deleted'), {}, end('done', 'done')],
    [observed('deleting'), {}, { next: 'poll', slow: false }],
    [observed('running'), {}, { next: 'poll', slow: false }],
    [observed('unknown'), {}, { next: 'poll', slow: false }],
    [observed('deleting'), { acceptedAt: NOW - timings.slowAfterMs - 1 }, { next: 'poll', slow: true }],
    [observed('deleting'), { acceptedAt: NOW - timings.patienceMs }, { next: 'poll', slow: true }],
    [observed('deleting'), patience, NO_END],
    [observed('running'), patience, end('failed', 'no-end')],
    [observed('gone'), patience, end('done', 'done')],
  ] as const)('%o, %o: %o', (look, execution, judgment) => {
    const one = deletion({ createdAt: BIRTHDAY, execution: { ...accepted, ...execution } });
    expect(judgeDelete(one, look, NOW, timings)).toEqual(judgment);
  });

  test('nothing slow where deletions usually take that long', () => {
    const acceptedAt = NOW - timings.slowAfterMs - 1;
    const one = { ...deletion({ execution: { ...accepted, acceptedAt } }), longMs: 2 * timings.slowAfterMs };
    expect(judgeDelete(one, observed('deleting'), NOW, timings)).toEqual({ next: 'poll', slow: false });
  });
});

describe('of a deletion whose answer is lost, a look means', () => {
  const late = { sentAt: NOW - timings.settleMs };
  const freshMs = 2 * timings.acceptWithinMs;
  test.each<[string, string, Wish, object]>([
    ['gone', 'gone', {}, end('done', 'found-done')],
    ['deleting, so it arrived', 'deleting', { execution: late }, { next: 'poll', slow: false }],
    ['as it was, too early to tell', 'running', {}, { next: 'poll' }],
    ['as it was, long enough after', 'running', { execution: late }, { next: 'send' }],
    [
      'as it was, too early after an error',
      'running',
      { execution: { sentAt: NOW - timings.settleMs + 1, answerStatus: 503 } },
      { next: 'poll' },
    ],
    ['another status', 'stopped', { execution: late }, END_LOST],
    ['a word that nobody knows', 'unknown', { execution: late }, END_LOST],
    [
      'as it was, but something moved between',
      'running',
      { execution: { ...late, hasProgressed: true } },
      END_LOST,
    ],
    ['as it was, without a birthday', 'running', { createdAt: undefined, execution: late }, END_LOST],
    ['as it was, for the third time', 'running', { execution: { ...late, sends: 3 } }, END_LOST],
    [
      'as it was, the last moment that is fresh',
      'running',
      { execution: late, overMs: freshMs - 1 },
      { next: 'send' },
    ],
    ['as it was, no longer fresh', 'running', { execution: late, overMs: freshMs }, END_LOST],
    [
      'as it was, at the end of all patience',
      'running',
      { execution: { sentAt: NOW - timings.patienceMs - 1 } },
      NO_END,
    ],
  ])('%s', (_name, status, wish, judgment) => {
    const one = deletion({ createdAt: BIRTHDAY, ...wish, execution: { ...unknown, ...wish.execution } });
    expect(judgeDelete(one, observed(status as never), NOW, timings)).toEqual(judgment);
  });
});

const anyStatus = fc.constantFrom(...ALL, 'gone' as const);
const anyCase = fc.record({
  before: fc.constantFrom(...ALL),
  status: anyStatus,
  createdAt: fc.constantFrom(undefined, BIRTHDAY),
  state: fc.constantFrom('accepted' as const, 'unknown' as const),
  age: fc.oneof(fc.nat(30_000), fc.nat(2 * timings.patienceMs)),
  overMs: fc.nat(4 * timings.acceptWithinMs),
  sends: fc.integer({ min: 1, max: 5 }),
  hasProgressed: fc.boolean(),
});
type Case = typeof anyCase extends fc.Arbitrary<infer T> ? T : never;

function deletionOf({ before, createdAt, overMs, state, age, sends, hasProgressed }: Case): Operation {
  const at = NOW - age;
  const taken = state === 'accepted' ? { acceptedAt: at } : {};
  const execution = { state, sends, hasProgressed, sentAt: at, ...taken };
  return deletion({ status: before, createdAt, overMs: overMs + age, execution });
}

test('a deletion is never asked again unless it is provably the same instance, as it was, and no long time ago', () => {
  fc.assert(
    fc.property(anyCase, (one) => {
      const judgment = judgeDelete(deletionOf(one), observed(one.status), NOW, timings);
      if (judgment.next !== 'send') return true;
      const settled = one.age >= timings.settleMs;
      const isFresh = one.overMs + one.age < 2 * timings.acceptWithinMs;
      const isAsBefore = one.status === one.before && !one.hasProgressed && one.createdAt !== undefined;
      return one.state === 'unknown' && isAsBefore && settled && isFresh && one.sends < 3;
    }),
    { numRuns: RULE_RUNS },
  );
});

test('nor let out again by a last look that can prove less', () => {
  const word = fc.constantFrom('42', 'web-1', 'web-2');
  const now = fc.record({ id: word, name: word, status: fc.constantFrom(...ALL) });
  const birthday = fc.constantFrom(undefined, BIRTHDAY, 'later');
  fc.assert(
    fc.property(anyCase, now, birthday, fc.boolean(), (one, found, born, isProtected) => {
      const there = {
        ...instance(found.status),
        ...found,
        ...(born === undefined ? {} : { createdAt: born }),
      };
      if (judgeBeforeDelete(deletionOf(one), there, isProtected) !== undefined) return true;
      const isIt = found.id === '42' && found.name === 'web-1' && born === one.createdAt;
      return isIt && born !== undefined && found.status === one.before && !one.hasProgressed;
    }),
    { numRuns: RULE_RUNS },
  );
});

test('done is said only of an instance that is gone, by whichever look', () => {
  const isGone = (status: string): boolean => status === 'gone' || status === 'deleted';
  fc.assert(
    fc.property(anyCase, fc.boolean(), fc.boolean(), (one, isProtected, canLook) => {
      const it = deletionOf(one);
      const judgment = judgeDelete(it, observed(one.status), NOW, timings);
      const looked = judgment.next === 'end' && judgment.outcome.result === 'done';
      const refused = judgeRefusedDelete(it, canLook ? observed(one.status) : undefined, undefined);
      const refusedDone = refused !== 'under way' && refused.result === 'done';
      const there = one.status === 'gone' ? undefined : instance(one.status);
      const before = judgeBeforeDelete(it, there, isProtected)?.result === 'done';
      return (
        looked === isGone(one.status) &&
        refusedDone === (canLook && isGone(one.status)) &&
        before === (one.status === 'gone')
      );
    }),
    { numRuns: RULE_RUNS },
  );
});

test('every deletion ends once patience has run out, whatever is seen', () => {
  fc.assert(
    fc.property(anyCase, (one) => {
      const it = deletionOf({ ...one, age: timings.patienceMs + 1 });
      return judgeDelete(it, observed(one.status), NOW, timings).next === 'end';
    }),
    { numRuns: RULE_RUNS },
  );
});

describe('an answer "wrong state" or "no such instance", once it has been looked at, means', () => {
  test.each([
    ['gone', 1, ALREADY],
    ['gone', 2, FOUND_DONE],
    ['deleted', 1, ALREADY],
    ['deleted', 2, FOUND_DONE],
    ['deleting', 1, 'under way'],
    ['deleting', 2, 'under way'],
    ['running', 1, { result: 'failed', code: 'wrong-state', said: 'no' }],
    ['starting', 1, { result: 'failed', code: 'wrong-state', said: 'no' }],
    ['unknown', 1, { result: 'failed', code: 'wrong-state', said: 'no' }],
    [undefined, 1, { result: 'failed', code: 'wrong-state', said: 'no' }],
    [undefined, 2, { ...LOST, said: 'no' }],
    ['running', 2, { ...LOST, said: 'no' }],
  ] as const)('seen as %s after %i sends: %o', (status, sends, meaning) => {
    const one = deletion({ execution: { sends } });
    expect(judgeRefusedDelete(one, status && observed(status), 'no')).toEqual(meaning);
  });

  test('without words where the service said none', () => {
    const meaning = judgeRefusedDelete(deletion({ execution: { sends: 1 } }), observed('running'), undefined);
    expect(meaning).toEqual({ result: 'failed', code: 'wrong-state' });
  });
});
