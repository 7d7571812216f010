import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accepted, cancelled, lost, notSent, startSending } from '../../src/core/operations/execution.ts';
import {
  countDownAt,
  countedDown,
  graceBegun,
  graceShownMs,
  isInGrace,
  sendDeadline,
  startsAt,
  tookOf,
} from '../../src/core/operations/grace.ts';
import { inGrace } from '../../src/core/operations/messages.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import { toPlainText } from '../../src/platform/slack/phrase.ts';
import { RULE_RUNS, runs } from '../support/runs.ts';
import { NOW, operation, timings, firstGapMs } from './operation.ts';

const MINUTE = 60_000;
const MAX_GRACE = 60 * MINUTE;

/** An operation that can be cancelled for so long, its card not yet standing. */
function waiting(graceMs: number, execution: Partial<Operation['execution']> = {}): Operation {
  return { ...operation({ execution }), graceMs };
}

/** The same with a card that stands since `at`. */
function shown(graceMs: number, at = NOW): Operation {
  return graceBegun(waiting(graceMs), at);
}

/** What each edit of the card says is left, with the moment of the edit, until it counts no further. */
function countDown(operationOfGrace: Operation): { at: number; leftMs: number; words: string }[] {
  const edits = [];
  let one = operationOfGrace;
  while (Number.isFinite(countDownAt(one))) {
    const at = countDownAt(one);
    const next = countedDown(one, at);
    if (!next) throw new Error(`due at ${at}, and nothing is counted down`);
    edits.push({ at, leftMs: graceShownMs(next), words: toPlainText(inGrace(next)) });
    if (edits.length > 200) throw new Error('it never ends');
    one = next;
  }
  return edits;
}

const grace = fc.integer({ min: 10_000, max: MAX_GRACE });
/** Somewhere around the moments that matter. */
const moment = fc.integer({ min: -10_000, max: MAX_GRACE + 3 * timings.acceptWithinMs });

describe('before its card stands', () => {
  test('a grace has no end, nothing counts down, and no call may leave however long it takes', () => {
    fc.assert(
      fc.property(grace, moment, (graceMs, after) => {
        const one = waiting(graceMs);
        expect(startsAt(one)).toBeUndefined();
        expect(countDownAt(one)).toBe(Number.POSITIVE_INFINITY);
        expect(countedDown(one, NOW + after)).toBeUndefined();
        expect(startSending(one, 's', NOW + after, timings)).toBeUndefined();
      }),
      { numRuns: RULE_RUNS / 2 },
    );
  });

  test('it can be cancelled already, and waits no longer than anything else does', () => {
    expect(isInGrace(waiting(MINUTE))).toBe(true);
    expect(sendDeadline(waiting(MINUTE), timings)).toBe(NOW + timings.acceptWithinMs);
  });
});

describe('when its card stands', () => {
  test('the grace begins, and ends that much later', () => {
    const one = shown(2 * MINUTE, NOW + 700);
    expect(one.graceUntil).toBe(NOW + 700 + 2 * MINUTE);
    expect(one.execution.nextAt).toBe(one.graceUntil);
    expect(startsAt(one)).toBe(one.graceUntil);
    expect(graceShownMs(one)).toBe(2 * MINUTE);
    expect(sendDeadline(one, timings)).toBe(NOW + 700 + 2 * MINUTE + timings.acceptWithinMs);
  });

  test('a second time, the grace is no longer than before', () => {
    const one = shown(2 * MINUTE);
    expect(graceBegun(one, NOW + MINUTE)).toBe(one);
  });

  test('without a grace, or once it was cancelled or a call left, nothing begins', () => {
    for (const one of [
      operation({}),
      waiting(MINUTE, { state: 'ended' }),
      waiting(MINUTE, { state: 'sending', sends: 1 }),
      waiting(MINUTE, { state: 'requested', sends: 1 }),
    ]) {
      expect(graceBegun(one, NOW)).toBe(one);
    }
  });

  test('no call leaves before the grace is over, nor later than it may, and each moment between will do', () => {
    fc.assert(
      fc.property(grace, moment, fc.nat(MINUTE), (graceMs, after, shownAfter) => {
        const one = shown(graceMs, NOW + shownAfter);
        const end = NOW + shownAfter + graceMs;
        const now = end + after - graceMs;
        const sent = startSending(one, 's', now, timings);
        expect(sent !== undefined).toBe(now >= end && now <= end + timings.acceptWithinMs);
        if (sent) expect(isInGrace(sent)).toBe(false);
      }),
      { numRuns: RULE_RUNS / 2 },
    );
  });
});

test('what has no grace leaves as soon as its card stands', () => {
  expect(startSending(operation({}), 's', NOW, timings)).toBeUndefined();
  const one = operation({ card: { state: 'sent' } });
  expect(isInGrace(one)).toBe(false);
  expect(startsAt(one)).toBe(NOW);
  expect(sendDeadline(one, timings)).toBe(NOW + timings.acceptWithinMs);
  expect(countDownAt(one)).toBe(Number.POSITIVE_INFINITY);
  expect(graceShownMs(one)).toBe(0);
  expect(startSending(one, 's', NOW, timings)).toBeDefined();
});

describe('a card counts down', () => {
  test.each([
    [10_000, []],
    [11_000, [10]],
    [30_000, [10]],
    [45_000, [30, 10]],
    [60_000, [30, 10]],
    [90_000, [60, 30, 10]],
    [120_000, [90, 60, 30, 10]],
    [150_000, [120, 90, 60, 30, 10]],
    [180_000, [120, 90, 60, 30, 10]],
    [300_000, [240, 180, 120, 90, 60, 30, 10]],
  ])('from %i ms over %j seconds', (graceMs, seconds) => {
    const edits = countDown(shown(graceMs));
    expect(edits.map(({ leftMs }) => leftMs / 1_000)).toEqual(seconds);
    // Each when that much is left indeed.
    expect(edits.map(({ at, leftMs }) => at + leftMs)).toEqual(seconds.map(() => NOW + graceMs));
  });

  test('strictly, to an end, whatever its length, and never past the truth', () => {
    fc.assert(
      fc.property(grace, (graceMs) => {
        const edits = countDown(shown(graceMs));
        let before = graceMs;
        for (const { at, leftMs } of edits) {
          expect(leftMs).toBeLessThan(before);
          expect(leftMs).toBeGreaterThan(0);
          expect(at).toBe(NOW + graceMs - leftMs);
          before = leftMs;
        }
        expect(before).toBeLessThanOrEqual(10_000);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test.each([120_000, 100_000, 60_000, 45_000])('from %i ms in other words each time', (graceMs) => {
    const one = shown(graceMs);
    const words = [toPlainText(inGrace(one)), ...countDown(one).map((edit) => edit.words)];
    expect(new Set(words).size).toBe(words.length);
  });

  test('past all that was missed, to what is left now', () => {
    const one = shown(5 * MINUTE);
    const late = countedDown(one, NOW + 5 * MINUTE - 25_000);
    expect(late && graceShownMs(late)).toBe(30_000);
    expect(late && countDownAt(late)).toBe(NOW + 5 * MINUTE - 10_000);
    expect(countedDown(one, NOW + MINUTE - 1)).toBeUndefined();
  });

  test('no more once it was cancelled or the call left', () => {
    const one = shown(2 * MINUTE);
    const over = cancelled(one, { userId: 'U2' }, NOW + 1);
    const sent = startSending(one, 's', NOW + 2 * MINUTE, timings);
    for (const next of [over, sent]) {
      expect(next && countDownAt(next)).toBe(Number.POSITIVE_INFINITY);
      expect(next && countedDown(next, NOW + 3 * MINUTE)).toBeUndefined();
    }
  });
});

describe('what is cancelled by a person', () => {
  const fresh = waiting(MINUTE);
  const ana = { userId: 'U2', teamId: 'T1' };

  test.each([
    ['before its card stands', fresh],
    ['in its grace', graceBegun(fresh, NOW)],
    ['after its grace, as long as nothing has left', graceBegun(fresh, NOW - 61_000)],
  ])('%s has come to nothing, by whom is kept, and no call leaves', (_name, one) => {
    const after = cancelled(one, ana, NOW);
    expect(after).toMatchObject({
      outcome: { result: 'cancelled', code: 'cancelled', at: NOW },
      cancelledBy: 'U2',
      execution: { state: 'ended', sends: 0 },
    });
    expect(after && startSending(after, 'send-1', NOW + 61_000, timings)).toBeUndefined();
    expect(after && cancelled(after, { userId: 'U3' }, NOW + 1)).toBeUndefined();
  });

  test('is nothing that has no grace, nor once its call may have left', () => {
    const due = graceBegun(fresh, NOW - 60_000);
    const left = startSending(due, 'send-1', NOW, timings);
    if (!left) throw new Error('its grace is over');
    const unsure = lost(left, 'send-1', undefined, NOW);
    const again = unsure && { ...unsure, execution: { ...unsure.execution, state: 'requested' as const } };
    for (const one of [operation({}), left, unsure, again, accepted(left, 'send-1', {}, NOW, firstGapMs)]) {
      expect(one && cancelled(one, ana, NOW)).toBeUndefined();
    }
  });

  test('is not what was let out once, even where it did certainly not leave', () => {
    const left = startSending(graceBegun(fresh, NOW - 60_000), 'send-1', NOW, timings);
    const back = left && notSent(left, 'send-1', NOW);
    expect(back?.execution.state).toBe('requested');
    expect(back && cancelled(back, ana, NOW)).toBeUndefined();
  });
});

test('what was cancelled in its grace took no negative time', () => {
  expect(tookOf(shown(2 * MINUTE), NOW + 30_000)).toBeGreaterThanOrEqual(0);
});
