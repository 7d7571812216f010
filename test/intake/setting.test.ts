import type { Redis } from 'ioredis';
import { beforeEach, expect, it } from 'vitest';
import { auditKeys } from '../../src/core/audit/keys.ts';
import type { Ask } from '../../src/core/ask/ask.ts';
import { createAttemptEntry } from '../../src/core/intake/decide.ts';
import type { Route } from '../../src/core/intake/route.ts';
import { createOffers } from '../../src/core/offers/offers.ts';
import { createOutbox, POSTS } from '../../src/core/outbox/outbox.ts';
import { createOneRecord } from '../../src/core/records/one-record.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { newId } from '../../src/platform/id.ts';
import type { WorkQueue } from '../../src/platform/queue/queue.ts';
import { toPlainText } from '../../src/platform/slack/phrase.ts';
import { anAsk } from '../support/an-ask.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { connectDatabase } from '../support/shared-redis.ts';
import { CARD_SIZES, cardSizeRoute } from './card-size.ts';

let redis: Redis;
let route: Route;
beforeEach(async () => {
  redis = await connectDatabase();
  const clock = fixedClock(() => 1_000);
  /** Nothing else is asked of it. */
  const queue = { wake: () => Promise.resolve() } as unknown as WorkQueue;
  route = cardSizeRoute({
    clock,
    offers: createOffers(redis),
    outbox: createOutbox({ redis, queue, clock, timings: TIMINGS }),
    cardSizes: createOneRecord(redis, CARD_SIZES),
  });
});

function askOf(line: string, over: Partial<Ask> = {}): Ask {
  return anAsk({
    id: newId(),
    route: route.id,
    words: line.split(' ').filter((word) => word !== ''),
    ...over,
  });
}

/** What is read of an answer, with its buttons, and whether the attempt has its entry already. */
async function answers(ask: Ask): Promise<readonly [string, readonly string[], boolean]> {
  const attempt = createAttemptEntry(ask, route, () => 1_000);
  const reply = await route.handle(ask, attempt.audit);
  const { lines = [], buttons = [] } = reply ?? {};
  return [lines.map(toPlainText).join('\n'), buttons.map(({ label }) => label), !attempt.done()];
}

const entries = (): Promise<number> => redis.xlen(auditKeys.entries);
const posted = (ask: Ask): Promise<string | null> => redis.hget(POSTS.keyOf(`fact-${ask.id}`), 'record');

it('shows how it stands, and offers the rest as presses', async () => {
  expect(await answers(askOf(''))).toEqual([
    'Cards in this channel: full.',
    ['Cards short', 'Cards none'],
    true,
  ]);
  expect(await entries()).toBe(0);
});

it('is set, told to its channel and recorded at once', async () => {
  const ask = askOf('short');
  expect(await answers(ask)).toEqual(['Cards in this channel: short.', ['Cards full', 'Cards none'], true]);
  expect(await posted(ask)).toContain('set the cards in this channel: ');
  expect(await entries()).toBe(1);
});

it('tells nobody what is so already, and leaves the entry of the attempt to who keeps it', async () => {
  await answers(askOf('short'));
  const again = askOf('SHORT');
  expect(await answers(again)).toEqual([expect.stringContaining('short'), expect.anything(), false]);
  expect(await posted(again)).toBeNull();
  expect(await entries()).toBe(1);
});

it.each([
  ['a channel', 'C1'],
  ['a direct message, which no channel reads', 'D1'],
])(
  'in %s it is not set again by a run of the same request, whatever others have set since',
  async (_, at) => {
    const place = { channelId: at };
    const ask = askOf('short', { place });
    await answers(ask);
    await answers(askOf('none', { place }));
    expect(await answers(ask)).toEqual(['Cards in this channel: none.', expect.anything(), true]);
    expect(await entries()).toBe(2);
    expect(await route.came?.(ask)).toMatchObject({ lines: [expect.anything()] });
    expect(await route.came?.(askOf('none'))).toBeUndefined();
  },
);

it('is told to nobody where it is set in a direct message', async () => {
  const ask = askOf('none', { place: { channelId: 'D1' } });
  expect(await answers(ask)).toEqual(['Cards in this channel: none.', expect.anything(), true]);
  expect(await posted(ask)).toBeNull();
});

it('refuses words that it does not know, and sets nothing', async () => {
  await expect(route.handle(askOf('loud'), () => undefined)).rejects.toThrow(Refusal);
  expect(await redis.exists(CARD_SIZES.key)).toBe(0);
});
