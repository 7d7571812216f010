import { expect, it } from 'vitest';
import { createLatest } from '../../src/core/operations/latest.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import type { Operations } from '../../src/core/operations/operations.ts';
import { createPostMessages } from '../../src/core/operations/post-messages.ts';
import { createDeliver } from '../../src/core/outbox/deliver.ts';
import { newOutboxMessage, type OutboxMessage } from '../../src/core/outbox/outbox-message.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { createLog } from '../../src/platform/log/log.ts';
import type { Messenger } from '../../src/platform/slack/messenger.ts';
import { say } from '../../src/platform/slack/phrase.ts';
import { NOW, operation } from '../operations/operation.ts';
import { noLanes } from '../support/no-lanes.ts';
import { fixedClock } from '../support/fixed-clock.ts';

const STANDS: OutboxMessage = {
  ...newOutboxMessage('k', 0),
  state: 'sent',
  channelId: 'C1',
  ts: '1.1',
  shown: 'old',
};

/** What is written down and sent, in order, where a message is edited. */
async function edits(
  before: OutboxMessage,
  isLast: boolean,
  isToWait = false,
): Promise<{ steps: string[]; message: OutboxMessage }> {
  const steps: string[] = [];
  let message = before;
  const messenger = {
    update: async () => void steps.push('edit'),
  } as unknown as Messenger; // nothing else is asked of it
  const deliver = createDeliver({
    messenger,
    metrics: { messageGivenUp: () => undefined },
    lanes: noLanes,
    clock: fixedClock(() => 1_000),
    timings: TIMINGS,
    log: createLog('silent', []),
  });
  await deliver(
    {
      of: {},
      name: 'card',
      messageOf: (record: OutboxMessage) => record,
      contentOf: () => ({ lines: [say`It ended.`] }),
      contentKeyOf: () => 'new',
      addressOf: () => ({ channelId: 'C1' }),
      sinceOf: () => 0,
      fallbacksOf: () => [],
      isBetterTwice: true,
      isLast: () => Promise.resolve(isLast),
      isToWait: () => isToWait,
      change: async (move) => {
        const next = move(message, message);
        if (next) steps.push('write');
        message = next ?? message;
        return next;
      },
    },
    before,
    'edit',
  );
  return { steps, message };
}

it('an edit that may be followed by another is written down before it leaves', async () => {
  expect((await edits(STANDS, false)).steps).toEqual(['write', 'edit', 'write']);
});

it('an edit that shows an end leaves at once, and keeps no place in the lane', async () => {
  const { steps, message } = await edits({ ...STANDS, lanePlace: 7 }, true);
  expect(steps).toEqual(['edit', 'write']);
  expect(message).toMatchObject({ shown: 'new' });
  expect(message.lanePlace).toBeUndefined();
});

it('an edit that shows an end is written down where an earlier one may still land after it', async () => {
  const { steps, message } = await edits({ ...STANDS, editingAt: 900 }, true);
  expect(steps).toEqual(['write', 'edit', 'write']);
  expect(message.repeatAt).toBe(900 + TIMINGS.findPostAfterMs);
});

it('an edit that repeats one that may have landed late is written down, so that another sees it on its way', async () => {
  const { steps } = await edits({ ...STANDS, repeatAt: 900 }, true);
  expect(steps).toEqual(['write', 'edit', 'write']);
});

it('an edit that would show half of an end does not leave, and leaves nothing to put right', async () => {
  const { steps, message } = await edits(STANDS, false, true);
  expect(steps).toEqual(['write', 'write']);
  expect(message.editingAt).toBeUndefined();
});

it('a record counts as known to stand so only where this process has moved it itself, and lately', () => {
  const latest = createLatest();
  const one = operation({});
  latest.keep({ version: 1, operation: one });
  expect(latest.isMovedWithin(one.id, 1_000)).toBe(false);
  latest.keep({ version: 2, operation: one, movedAt: performance.now() });
  expect(latest.isMovedWithin(one.id, 60_000)).toBe(true);
  latest.keep({ version: 3, operation: one, movedAt: performance.now() - 500 });
  expect(latest.isMovedWithin(one.id, 400)).toBe(false);
});

const ENDED: Operation = {
  ...operation({
    execution: { state: 'ended' },
    card: { state: 'sent', channelId: 'C1', ts: '1.1', shown: 'old' },
    reply: { state: 'sent', channelId: 'C1', ts: '1.2' },
  }),
  outcome: { result: 'done', code: 'done', at: NOW },
};

/** What is written down and sent, in order, where a job edits the card of `before` while its process knows `latest`. */
async function endsOf(before: Operation, latest: Operation, isAsSeen: boolean): Promise<string[]> {
  const steps: string[] = [];
  let record = latest;
  const operations = {
    cardOf: () => ({ lines: [say`It ended.`] }),
    isAsSeen: () => Promise.resolve(isAsSeen),
    findLatest: () => Promise.resolve(record),
    note: () => void steps.push('note'),
    change: (_id: string, step: (now: Operation) => Operation | undefined) => {
      const next = step(record);
      if (next) steps.push('write');
      record = next ?? record;
      return Promise.resolve(next);
    },
  } as unknown as Operations; // nothing else is asked of it
  const post = createPostMessages({
    operations,
    boards: { seat: async () => undefined, put: async () => undefined },
    messenger: { update: async () => void steps.push('edit') } as unknown as Messenger,
    metrics: { messageGivenUp: () => undefined },
    lanes: noLanes,
    clock: fixedClock(() => NOW),
    timings: TIMINGS,
    log: createLog('silent', []),
  });
  await post(before);
  return steps;
}

it('the edit of an end leaves unwritten only where its record is as it was seen, and nothing follows', async () => {
  expect(await endsOf(ENDED, ENDED, true)).toEqual(['edit', 'note']);
  expect(await endsOf(ENDED, ENDED, false)).toEqual(['write', 'edit', 'note']);
  const followed: Operation = { ...ENDED, next: { kind: 'instances.stop', userId: 'U2', at: NOW } };
  expect(await endsOf(ENDED, followed, true)).toEqual(['write', 'edit', 'note']);
});
