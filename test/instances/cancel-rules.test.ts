import { describe, expect, test } from 'vitest';
import { cancelEnding } from '../../src/features/instances/cancel-messages.ts';
import { isCanceled, judgeBeforeCancel, refuseCancel } from '../../src/features/instances/cancel-rules.ts';
import { toPlainText } from '../../src/platform/slack/phrase.ts';
import { STATUSES } from '../../src/platform/hosting/service.ts';
import { instance, NOW, observed, operation } from '../operations/operation.ts';

const BIRTHDAY = '2026-01-01T00:00:00Z';
const END = '2099-12-31T23:00:00Z';
const LOST = { result: 'unknown', code: 'no-answer' };
const CHANGED = { result: 'canceled', code: 'changed' };
const ALREADY = { result: 'done', code: 'already' };

const web = (over: object = {}) => ({ ...instance('running'), createdAt: BIRTHDAY, ...over });

function cancellation(sends: number, createdAt: string | undefined = BIRTHDAY) {
  const one = operation({ execution: { sends } });
  return { ...one, subject: { ...one.subject, ...(createdAt ? { createdAt } : {}) } };
}

describe('a subscription', () => {
  test.each([...STATUSES, 'unknown'] as const)('of one that is %s', (status) => {
    const isGoing = status === 'deleting' || status === 'deleted';
    const refusal = isGoing ? 'deleting' : undefined;
    expect(refuseCancel(instance(status), false)).toBe(refusal);
    expect(refuseCancel(instance(status), true)).toBe(refusal ?? 'protected');
    expect(refuseCancel({ ...instance(status), isDeletionProtected: true }, false)).toBe(
      refusal ?? 'protected-there',
    );
    expect(refuseCancel({ ...instance(status), isLocked: true }, false)).toBe(refusal ?? 'locked');
    expect(refuseCancel({ ...instance(status), endsAt: END }, true)).toBe('already');
  });

  test('is canceled once an end is shown, or nothing is there any more', () => {
    expect(isCanceled(observed('running'))).toBe(false);
    expect(isCanceled(observed('deleting'))).toBe(false);
    expect(isCanceled(observed('running', { endsAt: END }))).toBe(true);
    expect(isCanceled(observed('gone'))).toBe(true);
    expect(isCanceled(observed('deleted'))).toBe(true);
  });
});

describe('just before its cancellation is asked for', () => {
  const [first, again] = [cancellation(0), cancellation(1)];
  test.each([
    ['it is still what was confirmed', first, web(), false, undefined],
    ['its status does not matter', first, web({ status: 'stopped' }), false, undefined],
    ['it is gone', first, undefined, false, { result: 'failed', code: 'gone' }],
    ['it has another name', first, web({ name: 'web-2' }), false, CHANGED],
    ['another with its name is canceled', first, web({ createdAt: 'x', endsAt: END }), false, CHANGED],
    ['it is canceled', first, web({ endsAt: END }), false, ALREADY],
    ['it has become protected', first, web(), true, { result: 'canceled', code: 'protected' }],
    ['it is over, and has lost its birthday', first, instance('deleted'), false, ALREADY],
    ['asked again, it is provably the same', again, web(), false, undefined],
    [
      'asked again, it is canceled',
      again,
      web({ endsAt: END }),
      false,
      { result: 'done', code: 'found-done' },
    ],
    ['asked again, it is another', again, web({ name: 'web-2', endsAt: END }), false, LOST],
    ['asked again, it is gone', again, undefined, false, LOST],
    ['asked again, it has become protected', again, web(), true, LOST],
    ['asked again, it never had a birthday', cancellation(1, ''), instance('running'), false, LOST],
  ] as const)('%s', (_name, one, now, isProtected, inTheWay) => {
    expect(judgeBeforeCancel(one, now, isProtected)).toEqual(inTheWay);
  });
});

test.each([
  [observed('running', { endsAt: END }), 'Canceled web-1 (42): it runs until 2099-12-31 23:00 UTC.'],
  [observed('stopped', { endsAt: END }), 'Canceled web-1 (42): it stays until 2099-12-31 23:00 UTC.'],
  [observed('gone'), 'Canceled web-1 (42): it is gone.'],
  // What was seen before the call was asked for again says nothing of an end.
  [observed('running'), 'Canceled web-1 (42).'],
  [undefined, 'Canceled web-1 (42).'],
])('the end of one of which %j was seen last: %s', (lastState, words) => {
  const one = operation({ execution: lastState ? { lastState } : {} });
  const said = cancelEnding(one, { result: 'done', code: 'done', at: NOW });
  expect(said && toPlainText(said)).toBe(words);
});

test.each([
  [0, 'Nothing was asked of the service.'],
  [1, 'The service refused my call.'],
])('one that was canceled already, after %i calls: %s', (sends, words) => {
  const said = cancelEnding(operation({ execution: { sends } }), {
    result: 'done',
    code: 'already',
    at: NOW,
  });
  expect(said && toPlainText(said)).toBe(`web-1 (42) was canceled already when its time came. ${words}`);
});
