import { expect, test } from 'vitest';
import { judgeDelete } from '../../src/features/instances/delete-rules.ts';
import { judgePower } from '../../src/features/instances/power-rules.ts';
import type { Judgment } from '../../src/core/operations/kind.ts';
import { progress } from '../../src/core/operations/messages.ts';
import type { Operation, ObservedState } from '../../src/core/operations/operation.ts';
import { polled } from '../../src/core/operations/polled.ts';
import { judgeChange } from '../../src/core/changes/judge.ts';
import { kindWith, NOW, observed, operation, timings } from './operation.ts';

type Judge = (operation: Operation, observed: ObservedState, now: number) => Judgment;

/** What each kind of change makes of an instance, or an add-on, that isn't there, and how it ends then. */
const KINDS: readonly (readonly [string, Judge, string])[] = [
  ['start', (...now) => judgePower('start', ...now, timings), 'failed gone'],
  ['stop', (...now) => judgePower('stop', ...now, timings), 'failed gone'],
  ['restart', (...now) => judgePower('restart', ...now, timings), 'failed gone'],
  ['delete', (...now) => judgeDelete(...now, timings), 'done done'],
  [
    'removal of an add-on',
    (one, { status }, now) =>
      judgeChange(one, { isReached: status === 'gone', mayRepeat: false }, now, timings),
    'done done',
  ],
];

const accepted = operation({
  execution: { state: 'accepted', sentAt: NOW - 1_000, acceptedAt: NOW - 900, sends: 1 },
});

/** Longer than anybody waits to hear whether something is gone. */
const LONG_GAP_MS = 60_000;

/** The operation after polls that saw these, one after another. */
function after(judge: Judge, ...statuses: readonly Parameters<typeof observed>[0][]): Operation {
  const kind = kindWith({ kind: accepted.kind, judge });
  return statuses.reduce(
    (one, status) => polled(one, kind, observed(status), NOW, () => LONG_GAP_MS) ?? one,
    accepted,
  );
}

const endOf = ({ outcome }: Operation): string | undefined => outcome && `${outcome.result} ${outcome.code}`;

test.each(KINDS)('%s: what is said once to be gone is asked again', (_name, judge, gone) => {
  const once = after(judge, 'gone');
  expect(endOf(once)).toBeUndefined();
  expect(once.execution.nextAt).toBeLessThanOrEqual(NOW + 2_000);
  expect(endOf(after(judge, 'gone', 'gone'))).toBe(gone);
});

test.each(KINDS)('%s: what was there in between was never gone', (_name, judge) => {
  expect(endOf(after(judge, 'gone', 'restarting', 'gone', 'stopping', 'gone'))).toBeUndefined();
});

test('no card says that it is gone before that has been said twice', () => {
  const [, judge] = KINDS[2]!;
  expect(progress(after(judge, 'gone'))).toEqual([]);
});
