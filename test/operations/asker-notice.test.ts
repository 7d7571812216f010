import { expect, it } from 'vitest';
import { noticeAt } from '../../src/core/operations/asker-notice.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import { NOW, operation, timings } from './operation.ts';

const onBoard: Operation = { ...operation({}), boardId: 'b-1', responseUrl: 'https://hooks.slack.com/x' };

it('who waits for a line on a board hears alone that it has begun, so that the call waits for no edit', () => {
  expect(noticeAt(onBoard, timings)).toBe(NOW + 5 * timings.noticeAfterMs);
  const shown: Operation = { ...onBoard, card: { ...onBoard.card, state: 'sent' } };
  expect(noticeAt(shown, timings)).toBe(Number.POSITIVE_INFINITY);
  expect(
    noticeAt({ ...onBoard, notice: { begunAt: NOW, tries: 0, nextAt: NOW, isOver: false } }, timings),
  ).toBe(Number.POSITIVE_INFINITY);
  // In time for the call to leave while it is fresh.
  expect(5 * timings.noticeAfterMs).toBeLessThan(timings.acceptWithinMs / 2);
});

it('who waits for the end of a line on a board hears it from the board', () => {
  const outcome = { result: 'done', code: 'done', at: NOW } as const;
  expect(noticeAt({ ...onBoard, outcome }, timings)).toBe(Number.POSITIVE_INFINITY);
});
