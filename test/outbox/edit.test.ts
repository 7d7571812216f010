import { expect, it } from 'vitest';
import { createDeliver } from '../../src/core/outbox/deliver.ts';
import { newOutboxMessage, type OutboxMessage } from '../../src/core/outbox/outbox-message.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { createLog } from '../../src/platform/log/log.ts';
import type { Messenger } from '../../src/platform/slack/messenger.ts';
import { say } from '../../src/platform/slack/phrase.ts';
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
  isToWait = false,
): Promise<{ steps: string[]; message: OutboxMessage }> {
  const steps: string[] = [];
  let message = before;
  const messenger = {
    update: async () => void steps.push('edit'),
  } as unknown as Messenger; // nothing else is asked of it
  const deliver = createDeliver({
    messenger,
    metrics: { messageDeadLettered: () => undefined, messagePosted: () => undefined },
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

it('an edit is written down before it leaves', async () => {
  expect((await edits(STANDS)).steps).toEqual(['write', 'edit', 'write']);
});

it('an edit is written down as late where an earlier one may still land after it', async () => {
  const { steps, message } = await edits({ ...STANDS, editingAt: 900 });
  expect(steps).toEqual(['write', 'edit', 'write']);
  expect(message.repeatAt).toBe(900 + TIMINGS.findPostAfterMs);
});

it('an edit that repeats one that may have landed late is written down, so that another sees it on its way', async () => {
  const { steps } = await edits({ ...STANDS, repeatAt: 900 });
  expect(steps).toEqual(['write', 'edit', 'write']);
});

it('an edit that would show half of an end does not leave, and leaves nothing to put right', async () => {
  const { steps, message } = await edits(STANDS, true);
  expect(steps).toEqual(['write', 'write']);
  expect(message.editingAt).toBeUndefined();
});
