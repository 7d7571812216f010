import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HostingError, type HostingFault } from '../../src/platform/hosting/hosting-error.ts';
import { STATUSES } from '../../src/platform/hosting/service.ts';
import {
  accepted,
  afterFault,
  canceled,
  ended,
  abandoned,
  isOnTheWay,
  answerUnknown,
  notSent,
  deadLettered,
  startSending,
} from '../../src/core/operations/execution.ts';
import { openCancelWindow, isInCancelWindow } from '../../src/core/operations/cancel-window.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import { NOW, operation, observed, timings, firstGapMs } from './operation.ts';
import { runs } from '../support/runs.ts';

const outcome = { result: 'done', code: 'done', at: NOW } as const;
const error = (
  fault: HostingFault,
  outcomeOf: 'not-done' | 'unknown',
  over: { retryable?: boolean; retryAfterMs?: number; said?: string; status?: number } = {},
) => new HostingError('restarting web-1', { fault, outcome: outcomeOf, retryable: false, ...over });

const sending = startSending(operation({ card: { state: 'sent' } }), 'send-1', NOW, timings);
if (!sending) throw new Error('what is shown can be sent');

describe('a call', () => {
  test('is written down with its id, its time and its number before it leaves', () => {
    expect(sending.execution).toMatchObject({ state: 'sending', sendId: 'send-1', sentAt: NOW, sends: 1 });
  });

  test('that certainly did nothing is as if it had never been', () => {
    expect(notSent(sending, 'send-1', NOW + 5)?.execution).toMatchObject({
      state: 'requested',
      sends: 0,
      nextAt: NOW + 5,
    });
  });

  test('that was taken is polled, and the word of the answer is a first poll', () => {
    const after = accepted(sending, 'send-1', { status: 'stopping' }, NOW, firstGapMs);
    expect(after?.execution).toMatchObject({
      state: 'accepted',
      acceptedAt: NOW,
      nextAt: NOW + timings.pollEveryMs,
      hasProgressed: true,
      lastState: { status: 'stopping' },
    });
    expect(after?.outcome).toBeUndefined();
    expect(accepted(sending, 'send-1', { status: 'running' }, NOW, firstGapMs)?.execution.hasProgressed).toBe(
      false,
    );
    expect(accepted(sending, 'send-1', {}, NOW, firstGapMs)?.execution.lastState).toBeUndefined();
  });

  test('whose answer is lost is looked for at once', () => {
    const answer = { status: 503, said: 'locked' };
    expect(answerUnknown(sending, 'send-1', answer, NOW + 9)?.execution).toMatchObject({
      state: 'unknown',
      answerStatus: 503,
      answerSaid: 'locked',
      nextAt: NOW + 9,
      polls: 0,
    });
  });

  test('asked again and lost for good tells of no earlier answer', () => {
    const execution = {
      ...sending.execution,
      state: 'requested',
      answerStatus: 503,
      answerSaid: 'locked',
    } as const;
    const again = startSending({ ...sending, execution }, 'send-2', NOW, timings);
    const after = again && answerUnknown(again, 'send-2', undefined, NOW)?.execution;
    expect(after).toMatchObject({ sends: 2, state: 'unknown' });
    expect([after?.answerStatus, after?.answerSaid]).toEqual([undefined, undefined]);
  });

  test('whose answer was given up for lost can still be accepted, by its own answer alone', () => {
    const unknown = answerUnknown(sending, 'send-1', undefined, NOW);
    expect(unknown && accepted(unknown, 'send-1', {}, NOW, firstGapMs)?.execution.state).toBe('accepted');
    expect(unknown && accepted(unknown, 'send-2', {}, NOW, firstGapMs)).toBeUndefined();
  });
});

describe('after a fault', () => {
  test.each([
    [error('no-answer', 'unknown', { retryable: true }), 'unknown', undefined],
    [error('unavailable', 'unknown', { retryable: true, status: 503 }), 'unknown', 503],
    [error('unreadable', 'unknown', { status: 200 }), 'unknown', 200],
  ])('%s: nobody knows, and only looking can tell', (fault, state, answerStatus) => {
    const after = afterFault(sending, 'send-1', fault, NOW, timings)?.execution;
    expect([after?.state, after?.answerStatus, after?.sends]).toEqual([state, answerStatus, 1]);
  });

  test.each([
    ['unreachable', undefined],
    ['rate-limited', undefined],
    ['rate-limited', 7_000],
  ] as const)('%s, to wait %s ms: it was not done and is tried again', (fault, retryAfterMs) => {
    const details = { retryable: true, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    const after = afterFault(sending, 'send-1', error(fault, 'not-done', details), NOW, timings)?.execution;
    expect(after).toMatchObject({ state: 'requested', sends: 0, putOffs: 1 });
    const waitMs = (after?.nextAt ?? 0) - NOW;
    expect(waitMs).toBeGreaterThanOrEqual(retryAfterMs ?? 1_000);
    expect(waitMs).toBeLessThanOrEqual(retryAfterMs ?? 1_500);
  });

  test('that would be tried again too late it has failed', () => {
    const fault = error('rate-limited', 'not-done', {
      retryable: true,
      retryAfterMs: timings.acceptWithinMs,
    });
    expect(afterFault(sending, 'send-1', fault, NOW, timings)?.outcome).toEqual({
      result: 'failed',
      code: 'rate-limited',
      at: NOW,
    });
  });

  test.each(['forbidden', 'no-credit', 'not-found', 'bad-input', 'refused'] as const)(
    '%s: it has failed, in the words of the service',
    (fault) => {
      expect(
        afterFault(sending, 'send-1', error(fault, 'not-done', { said: 'no', status: 400 }), NOW, timings)
          ?.outcome,
      ).toEqual({
        result: 'failed',
        code: fault,
        said: 'no',
        at: NOW,
      });
    },
  );
});

describe('what is given up', () => {
  test.each(['too-late', 'not-shown', 'no-right', 'not-checked'] as const)(
    'before any call, as %s, was canceled',
    (code) => {
      expect(abandoned(operation({}), code, NOW)?.outcome).toEqual({ result: 'canceled', code, at: NOW });
    },
  );

  test.each(['unreachable', 'rate-limited', 'forbidden', 'canceled', 'refused'] as const)(
    'before any call, as %s, has failed',
    (code) => {
      expect(abandoned(operation({}), code, NOW, 'no')?.outcome).toEqual({
        result: 'failed',
        code,
        said: 'no',
        at: NOW,
      });
    },
  );

  test.each(['too-late', 'not-shown', 'forbidden'] as const)(
    'as %s after a call whose answer was lost is not known to have come to nothing',
    (code) => {
      const requested = operation({ execution: { sends: 1 } });
      const again = operation({ execution: { state: 'sending', sends: 2 } });
      for (const one of [requested, again])
        expect(abandoned(one, code, NOW)?.outcome).toEqual({ result: 'unknown', code: 'no-answer', at: NOW });
    },
  );
});

test('what nobody can bring to its end was canceled where no call has left, and is else unknown', () => {
  expect(deadLettered(operation({}), NOW)).toMatchObject({
    outcome: { result: 'canceled' },
    deadLetteredAt: NOW,
  });
  expect(deadLettered(sending, NOW)).toMatchObject({ outcome: { result: 'unknown' }, deadLetteredAt: NOW });
  expect(deadLettered(operation({ execution: { sends: 1 } }), NOW)?.outcome?.result).toBe('unknown');
  const over = ended(sending, outcome);
  expect(over && deadLettered(over, NOW + 1)).toMatchObject({ outcome, deadLetteredAt: NOW + 1 });
  expect(deadLettered({ ...sending, deadLetteredAt: NOW }, NOW + 1)).toBeUndefined();
});

const FAULTS: readonly HostingFault[] = [
  'unauthorized',
  'no-credit',
  'forbidden',
  'not-found',
  'wrong-state',
  'bad-input',
  'rate-limited',
  'refused',
  'unavailable',
  'unreachable',
  'no-answer',
  'unreadable',
];
type Step = (operation: Operation, now: number) => Operation | undefined;
/** Like every other step: nothing where it changes nothing. */
const changed = (before: Operation, after: Operation): Operation | undefined =>
  after === before ? undefined : after;
const sendId = fc.constantFrom('send-1', 'send-2');
const step: fc.Arbitrary<[string, Step]> = fc.oneof(
  sendId.map((id): [string, Step] => [`start ${id}`, (one, now) => startSending(one, id, now, timings)]),
  sendId.map((id): [string, Step] => [`not sent ${id}`, (one, now) => notSent(one, id, now)]),
  fc
    .tuple(sendId, fc.constantFrom(undefined, ...STATUSES))
    .map(([id, status]): [string, Step] => [
      `accepted ${id}`,
      (one, now) => accepted(one, id, status === undefined ? {} : { status }, now, firstGapMs),
    ]),
  fc
    .tuple(sendId, fc.constantFrom(undefined, { status: 503, said: 'locked' }))
    .map(([id, given]): [string, Step] => [`lost ${id}`, (one, now) => answerUnknown(one, id, given, now)]),
  fc.constant<[string, Step]>(['cancel', (one, now) => canceled(one, { userId: 'U2' }, now)]),
  fc.constant<[string, Step]>(['card stands', (one, now) => changed(one, openCancelWindow(one, now))]),
  fc
    .constantFrom('too-late', 'not-shown', 'forbidden')
    .map((code): [string, Step] => [`give up ${code}`, (one, now) => abandoned(one, code, now)]),
  fc.constant<[string, Step]>(['end', (one, now) => ended(one, { ...outcome, at: now })]),
  fc
    .tuple(
      sendId,
      fc.constantFrom(...FAULTS),
      fc.constantFrom('not-done' as const, 'unknown' as const),
      fc.boolean(),
      fc.option(fc.nat(200_000)),
    )
    .map(([id, fault, how, retryable, wait]): [string, Step] => [
      `fault ${id} ${fault}`,
      (one, now) =>
        afterFault(
          one,
          id,
          error(fault, how, { retryable, ...(wait === null ? {} : { retryAfterMs: wait }) }),
          now,
          timings,
        ),
    ]),
);

test('whatever happens in whatever order, an end is final and everything in between makes sense', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.option(fc.nat(15)), (steps, cancelWindowMs) => {
      let one = cancelWindowMs === null ? operation({}) : { ...operation({}), cancelWindowMs };
      let left = 0;
      for (const [index, [name, take]] of steps.entries()) {
        const before = structuredClone(one);
        const after = take(one, NOW + index);
        expect(one).toEqual(before);
        if (before.execution.state === 'ended') {
          expect([name, after]).toEqual([name, undefined]);
          continue;
        }
        if (!after) continue;
        if (name.startsWith('start')) {
          left += 1;
          // Nothing leaves before its card stands, nor before its cancel window is over.
          expect(cancelWindowMs === null || NOW + index >= (before.cancelWindowEndsAt ?? Infinity)).toBe(
            true,
          );
        }
        if (name === 'cancel') expect([isInCancelWindow(before), left]).toEqual([true, 0]);
        // Only a call that is known to have done nothing is taken back.
        if (after.execution.sends < before.execution.sends) left -= 1;
        expect(after.execution.sends).toBe(left);
        expect(after.outcome === undefined).toBe(after.execution.state !== 'ended');
        if (name.startsWith('start'))
          expect(after.execution).toMatchObject({ state: 'sending', sentAt: NOW + index });
        expect(after.card).toEqual(before.card);
        one = after;
      }
    }),
    { numRuns: runs(5_000) },
  );
});

test('a call of somebody who was overtaken moves nothing', () => {
  const mine = sending;
  const theirs = { ...mine, execution: { ...mine.execution, sendId: 'send-2' } };
  expect(notSent(theirs, 'send-1', NOW)).toBeUndefined();
  expect(accepted(theirs, 'send-1', {}, NOW, firstGapMs)).toBeUndefined();
  expect(answerUnknown(theirs, 'send-1', undefined, NOW)).toBeUndefined();
  expect(afterFault(theirs, 'send-1', error('forbidden', 'not-done'), NOW, timings)).toBeUndefined();
  expect(startSending(theirs, 'send-1', NOW, timings)).toBeUndefined();
});

test.each([
  ['starting', true],
  ['stopping', true],
  ['restarting', true],
  ['provisioning', true],
  ['deploying', true],
  ['deleting', true],
  ['running', false],
  ['stopped', false],
  ['error', false],
  ['unknown', false],
  ['gone', false],
] as const)('%s is on the way: %s', (status, onTheWay) =>
  expect(isOnTheWay(observed(status))).toBe(onTheWay),
);
