import { describe, expect, it } from 'vitest';
import { fixedClock } from '../support/fixed-clock.ts';
import { createDeliver } from '../../src/core/outbox/deliver.ts';
import type { MessageSource } from '../../src/core/outbox/message-source.ts';
import {
  type OutboxMessage,
  newOutboxMessage,
  nextStep,
  stepDueAt,
} from '../../src/core/outbox/outbox-message.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { SlackError } from '../../src/platform/slack/errors.ts';
import type { Messenger, Stretch } from '../../src/platform/slack/messenger.ts';
import { say } from '../../src/platform/slack/phrase.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { play, readAll } from '../support/sandbox.ts';
import { noLanes } from '../support/no-lanes.ts';

const HISTORY = 'conversations.history';

describe('a card whose answer was lost in a busy channel', () => {
  it('is found and not posted twice, where Slack gives fifteen messages a page and one page at a time', async () => {
    const sandbox = await play({ slack: { historyLimit: { everyMs: 1_000, perPage: 15 } } });
    const { slack } = sandbox;
    const bob = slack.person('bob');
    for (let count = 0; count < 10; count++) await bob.types('#ops', `before ${count}`);
    slack.loseAnswerOfNext('chat.postMessage');
    await slack.person('ana').types('#ops', '/instances restart web-1');
    await slack.until(() => readAll(sandbox).length === 1);
    for (let count = 0; count < 40; count++) await bob.types('#ops', `after ${count}`);
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(2);
    expect(readAll(sandbox)[0]).toContain('Restarted web-1 (101)');
    const asked = slack.calls.filter(({ method }) => method === HISTORY);
    expect(asked.some(({ error }) => error === 'ratelimited')).toBe(true);
    // The card is on the third page; each was read once.
    expect(asked.filter(({ ok }) => ok)).toHaveLength(3);
  });

  it('goes out once more where it is not found, although Slack gives one page at a time', async () => {
    const sandbox = await play({ slack: { historyLimit: { everyMs: 1_000, perPage: 15 } } });
    const { slack } = sandbox;
    slack.dropNext('chat.postMessage');
    await slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(2);
  });

  it('is not posted twice on the word that there is more, without a way to it', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    slack.loseAnswerOfNext('chat.postMessage');
    slack.failNext(HISTORY, { body: { ok: true, messages: [], has_more: true } });
    await slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(2);
    expect(slack.calls.filter(({ method }) => method === 'chat.postMessage')).toHaveLength(2);
  });

  it('is found although Slack forgets the page that was read last', async () => {
    const sandbox = await play({ slack: { historyLimit: { everyMs: 0, perPage: 15 } } });
    const { slack } = sandbox;
    const bob = slack.person('bob');
    slack.loseAnswerOfNext('chat.postMessage');
    await slack.person('ana').types('#ops', '/instances restart web-1');
    await slack.until(() => readAll(sandbox).length === 1);
    for (let count = 0; count < 20; count++) await bob.types('#ops', `after ${count}`);
    slack.failNext(({ method, args }) => method === HISTORY && args['cursor'] !== undefined, {
      error: 'invalid_cursor',
    });
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(2);
  });
});

/** One message and its record, with a Slack of its own; time is what the test says. */
function scene(options: {
  from?: OutboxMessage;
  isBetterTwice?: boolean;
  find?: (stretch: Stretch, now: number) => ReturnType<Messenger['findOnPage']>;
  changeTakesMs?: number;
}): {
  run: (until?: (message: OutboxMessage) => boolean) => Promise<OutboxMessage>;
  sent: string[];
  looks: Stretch[];
} {
  let now = 1_000_000;
  let message = options.from ?? newOutboxMessage('key', now);
  const sent: string[] = [];
  const looks: Stretch[] = [];
  const refused = (): never => {
    throw new Error('not asked for here');
  };
  const messenger: Messenger = {
    post: async () => {
      sent.push('post');
      throw new SlackError('unreachable', { outcome: 'unknown' });
    },
    update: async () => void sent.push('edit'),
    findOnPage: async (_address, _key, stretch) => {
      looks.push(stretch);
      return (options.find ?? refused)(stretch, now);
    },
    remove: refused,
    directChannel: refused,
    openModal: refused,
    whisper: refused,
  };
  const source: MessageSource<{ message: OutboxMessage }> = {
    of: {},
    name: 'card',
    messageOf: (record) => record.message,
    contentKeyOf: () => 'content',
    contentOf: () => ({ lines: [say`Hello`] }),
    addressOf: () => ({ channelId: 'C1' }),
    sinceOf: () => 1_000_000,
    fallbacksOf: () => [],
    isBetterTwice: options.isBetterTwice ?? true,
    change: async (move) => {
      const next = move(message, { message });
      if (!next) return undefined;
      message = next;
      await new Promise((done) => {
        setTimeout(done, options.changeTakesMs ?? 0);
      });
      return { message };
    },
  };
  const clock = fixedClock(() => now);
  const timings = { ...TIMINGS, sendWithinMs: options.changeTakesMs === undefined ? 400 : 5 };
  const deliver = createDeliver({
    messenger,
    metrics: { messageDeadLettered: () => undefined, messagePosted: () => undefined },
    lanes: noLanes,
    clock,
    timings,
    log: createLog('silent', []),
  });
  return {
    sent,
    looks,
    run: async (until = () => false) => {
      for (let steps = 0; steps < 400 && !until(message); steps++) {
        const step = nextStep(message, 'content');
        if (!step) break;
        now = Math.max(now, stepDueAt(message, step, 'content', timings));
        await deliver(source, { message }, step);
      }
      return message;
    },
  };
}

describe('a lookup', () => {
  const endless = (): ReturnType<Messenger['findOnPage']> => Promise.resolve({ found: [], next: 'more' });

  it('begins around the time of the post, and reads what lies further away only after that', async () => {
    const { run, looks } = scene({ find: () => Promise.resolve({ found: [], next: undefined }) });
    await run((message) => message.repostedAt !== undefined);
    const [first, ...further] = looks.map(({ from, to }) => [from - 1_000_000, to - 1_000_000]);
    expect(first).toEqual([-5_000, 10_000]);
    expect(further).toEqual([
      [10_000, 60_000],
      [-60_000, -5_000],
    ]);
  });

  it('of more pages than anybody writes ends: what is better seen twice goes out again, and only twice', async () => {
    const { run, sent, looks } = scene({ find: endless });
    expect(await run()).toMatchObject({ state: 'dead-lettered' });
    expect(sent).toHaveLength(3);
    expect(looks).toHaveLength(60);
  });

  it('of more pages than anybody writes ends: what calls somebody does not go out again', async () => {
    const { run, sent, looks } = scene({ find: endless, isBetterTwice: false });
    expect(await run()).toMatchObject({ state: 'dead-lettered' });
    expect(sent).toHaveLength(1);
    expect(looks).toHaveLength(20);
  });

  it('that Slack puts off again and again ends as well', async () => {
    const wait = new SlackError('ratelimited', { outcome: 'not-done', retryAfterMs: 60_000 });
    const { run, sent, looks } = scene({ find: () => Promise.reject(wait), isBetterTwice: false });
    expect(await run()).toMatchObject({ state: 'dead-lettered' });
    expect(sent).toHaveLength(1);
    expect(looks.length).toBeLessThan(15);
  });

  it('waits for as long as it takes where Slack can not be reached: what stands there is found then', async () => {
    const standing = { found: [{ channelId: 'C1', ts: '1.2' }], next: undefined };
    const away = new SlackError('unreachable', { outcome: 'unknown' });
    const { run, sent } = scene({
      find: (_stretch, now) =>
        now < 1_000_000 + 3_600_000 ? Promise.reject(away) : Promise.resolve(standing),
    });
    expect(await run(({ state }) => state === 'sent')).toMatchObject({ state: 'sent', ts: '1.2' });
    expect(sent).toHaveLength(1);
  });
});

describe('an edit that slept between being written down and being sent', () => {
  it('does not leave any more, since a newer one may stand there by now', async () => {
    const standing: OutboxMessage = {
      ...newOutboxMessage('key', 0),
      state: 'sent',
      channelId: 'C1',
      ts: '1.2',
    };
    const { run, sent } = scene({ from: standing, changeTakesMs: 20 });
    let steps = 0;
    expect(await run(() => steps++ === 1)).toEqual(standing);
    expect(sent).toEqual([]);
    // Where it takes as long each time, it is written down for when it can leave.
    expect(await run()).toMatchObject({ state: 'sent', shown: 'content' });
    expect(sent).toHaveLength(1);
  });
});
