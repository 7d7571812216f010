import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accepted,
  canceled,
  answerUnknown,
  notSent,
  startSending,
} from '../../src/core/operations/execution.ts';
import {
  openCancelWindow,
  isInCancelWindow,
  sendDeadline,
  startsAt,
  tookOf,
} from '../../src/core/operations/cancel-window.ts';
import { inCancelWindow } from '../../src/core/operations/messages.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import { toText } from '../../src/platform/slack/phrase.ts';
import { RULE_RUNS } from '../support/runs.ts';
import { NOW, operation, timings, firstGapMs } from './operation.ts';

const MINUTE = 60_000;
const MAX_WINDOW = 60 * MINUTE;

/** An operation that can be canceled for so long, its card not yet standing. */
function waiting(cancelWindowMs: number, execution: Partial<Operation['execution']> = {}): Operation {
  return { ...operation({ execution }), cancelWindowMs };
}

/** The same with a card that stands since `at`. */
function shown(cancelWindowMs: number, at = NOW): Operation {
  return openCancelWindow(waiting(cancelWindowMs), at);
}

const windowMs = fc.integer({ min: 10_000, max: MAX_WINDOW });
/** Somewhere around the moments that matter. */
const moment = fc.integer({ min: -10_000, max: MAX_WINDOW + 3 * timings.acceptWithinMs });

describe('before its card stands', () => {
  test('a cancel window has no end, and no call may leave however long it takes', () => {
    fc.assert(
      fc.property(windowMs, moment, (cancelWindowMs, after) => {
        const one = waiting(cancelWindowMs);
        expect(startsAt(one)).toBeUndefined();
        expect(startSending(one, 's', NOW + after, timings)).toBeUndefined();
      }),
      { numRuns: RULE_RUNS / 2 },
    );
  });

  test('it can be canceled already, and waits no longer than anything else does', () => {
    expect(isInCancelWindow(waiting(MINUTE))).toBe(true);
    expect(sendDeadline(waiting(MINUTE), timings)).toBe(NOW + timings.acceptWithinMs);
  });
});

describe('when its card stands', () => {
  test('the cancel window begins, and ends that much later', () => {
    const one = shown(2 * MINUTE, NOW + 700);
    expect(one.cancelWindowEndsAt).toBe(NOW + 700 + 2 * MINUTE);
    expect(one.execution.nextAt).toBe(one.cancelWindowEndsAt);
    expect(startsAt(one)).toBe(one.cancelWindowEndsAt);
    expect(sendDeadline(one, timings)).toBe(NOW + 700 + 2 * MINUTE + timings.acceptWithinMs);
  });

  test('a second time, the cancel window is no longer than before', () => {
    const one = shown(2 * MINUTE);
    expect(openCancelWindow(one, NOW + MINUTE)).toBe(one);
  });

  test('without a cancel window, or once it was canceled or a call left, nothing begins', () => {
    for (const one of [
      operation({}),
      waiting(MINUTE, { state: 'ended' }),
      waiting(MINUTE, { state: 'sending', sends: 1 }),
      waiting(MINUTE, { state: 'requested', sends: 1 }),
    ]) {
      expect(openCancelWindow(one, NOW)).toBe(one);
    }
  });

  test('no call leaves before the cancel window is over, nor later than it may, and each moment between will do', () => {
    fc.assert(
      fc.property(windowMs, moment, fc.nat(MINUTE), (cancelWindowMs, after, shownAfter) => {
        const one = shown(cancelWindowMs, NOW + shownAfter);
        const end = NOW + shownAfter + cancelWindowMs;
        const now = end + after - cancelWindowMs;
        const sent = startSending(one, 's', now, timings);
        expect(sent !== undefined).toBe(now >= end && now <= end + timings.acceptWithinMs);
        if (sent) expect(isInCancelWindow(sent)).toBe(false);
      }),
      { numRuns: RULE_RUNS / 2 },
    );
  });
});

test('what has no cancel window leaves as soon as its card stands', () => {
  expect(startSending(operation({}), 's', NOW, timings)).toBeUndefined();
  const one = operation({ card: { state: 'sent' } });
  expect(isInCancelWindow(one)).toBe(false);
  expect(startsAt(one)).toBe(NOW);
  expect(sendDeadline(one, timings)).toBe(NOW + timings.acceptWithinMs);
  expect(startSending(one, 's', NOW, timings)).toBeDefined();
});

describe('a card', () => {
  test('says how long it can be canceled before it stands, and then until when, in the same words to its end', () => {
    expect(toText(inCancelWindow(waiting(2 * MINUTE)))).toBe('in 2 min');
    expect(toText(inCancelWindow(shown(2 * MINUTE)))).toMatch(
      /^at <!date\^\d+\^\{time_secs\}\|\d\d:\d\d:\d\d UTC>$/,
    );
  });
});

describe('what is canceled by a person', () => {
  const fresh = waiting(MINUTE);
  const ana = { userId: 'U2', teamId: 'T1' };

  test.each([
    ['before its card stands', fresh],
    ['in its cancel window', openCancelWindow(fresh, NOW)],
    ['after its cancel window, as long as nothing has left', openCancelWindow(fresh, NOW - 61_000)],
  ])('%s has come to nothing, by whom is kept, and no call leaves', (_name, one) => {
    const after = canceled(one, ana, NOW);
    expect(after).toMatchObject({
      outcome: { result: 'canceled', code: 'canceled', at: NOW },
      canceledBy: 'U2',
      execution: { state: 'ended', sends: 0 },
    });
    expect(after && startSending(after, 'send-1', NOW + 61_000, timings)).toBeUndefined();
    expect(after && canceled(after, { userId: 'U3' }, NOW + 1)).toBeUndefined();
  });

  test('is nothing that has no cancel window, nor once its call may have left', () => {
    const due = openCancelWindow(fresh, NOW - 60_000);
    const left = startSending(due, 'send-1', NOW, timings);
    if (!left) throw new Error('its cancel window is over');
    const unknown = answerUnknown(left, 'send-1', undefined, NOW);
    const again = unknown && { ...unknown, execution: { ...unknown.execution, state: 'requested' as const } };
    for (const one of [operation({}), left, unknown, again, accepted(left, 'send-1', {}, NOW, firstGapMs)]) {
      expect(one && canceled(one, ana, NOW)).toBeUndefined();
    }
  });

  test('is not what was let out once, even where it did certainly not leave', () => {
    const left = startSending(openCancelWindow(fresh, NOW - 60_000), 'send-1', NOW, timings);
    const back = left && notSent(left, 'send-1', NOW);
    expect(back?.execution.state).toBe('requested');
    expect(back && canceled(back, ana, NOW)).toBeUndefined();
  });
});

test('what was canceled in its cancel window took no negative time', () => {
  expect(tookOf(shown(2 * MINUTE), NOW + 30_000)).toBeGreaterThanOrEqual(0);
});
