import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ended } from '../../src/core/operations/execution.ts';
import { followed, type Operation } from '../../src/core/operations/operation.ts';
import { buttonUsed } from '../../src/core/operations/message-order.ts';
import * as moves from './said.ts';
import { SlackError } from '../../src/platform/slack/errors.ts';
import { say } from '../../src/platform/slack/phrase.ts';
import { NOW, operation, timings } from './operation.ts';
import { runs } from '../support/runs.ts';

const sent = { state: 'sent', channelId: 'C1', ts: '1.1', shown: 'content' } as const;
const over = { state: 'ended' } as const;
const next = (one: Operation, contentKey = 'content', now = NOW): moves.NextMessage | undefined =>
  moves.nextMessage(one, contentKey, now, timings);
const dead = new SlackError('channel_not_found', { outcome: 'not-done', dead: true });
const passing = new SlackError('ratelimited', { outcome: 'not-done', retryAfterMs: 7_000 });
const unknown = new SlackError('unreachable', { outcome: 'unknown' });

const POST_CARD = { do: 'post', part: 'card' } as const;
const POST_REPLY = { do: 'post', part: 'reply' } as const;
const EDIT_CARD = { do: 'edit', part: 'card' } as const;
const FIND_CARD = { do: 'find', part: 'card' } as const;
const FIND_REPLY = { do: 'find', part: 'reply' } as const;
const CLOSE = { do: 'close' } as const;
const mayStand = { state: 'posting', postingAt: 0 } as const;
const deadLettered = { state: 'dead-lettered' } as const;

describe('what is to be said next', () => {
  test.each([
    ['nothing has been said', {}, POST_CARD],
    ['the card may or may not stand there', { card: mayStand }, FIND_CARD],
    ['the card shows what it should', { card: sent }, undefined],
    ['the card shows something else', { card: { ...sent, shown: 'old' } }, EDIT_CARD],
    [
      'it has ended, and the card does not say so yet',
      { card: { ...sent, shown: 'old' }, execution: over },
      EDIT_CARD,
    ],
    ['it has ended, and the card says so', { card: sent, execution: over }, POST_REPLY],
    ['the reply may or may not stand there', { card: sent, reply: mayStand, execution: over }, FIND_REPLY],
    ['both stand there', { card: sent, reply: sent, execution: over }, CLOSE],
    [
      'both stand there, and an edit may have come late',
      { card: { ...sent, repeatAt: NOW }, reply: sent, execution: over },
      EDIT_CARD,
    ],
    [
      'the card can never be posted, and the end is not reported yet',
      { card: deadLettered, execution: over },
      POST_REPLY,
    ],
    ['neither can ever be posted', { card: deadLettered, reply: deadLettered, execution: over }, CLOSE],
    ['the reply can never be posted', { card: sent, reply: deadLettered, execution: over }, CLOSE],
    ['the card can never be posted, and it has not ended', { card: deadLettered }, undefined],
  ] as const)('where %s', (_name, state, step) => {
    expect(next(operation(state))).toEqual(step);
  });

  test('waits until it is due', () => {
    const later = operation({ card: { nextAt: NOW + 1 } });
    expect(next(later)).toBeUndefined();
    expect(next(later, 'content', NOW + 1)).toEqual(POST_CARD);
    expect(moves.nextMessageAt(later, 'content', timings)).toBe(NOW + 1);
  });

  test('is not looked up before the answer can no longer come', () => {
    const posting = operation({ card: { state: 'posting', postingAt: NOW } });
    expect(next(posting, 'content', NOW + timings.findPostAfterMs - 1)).toBeUndefined();
    expect(next(posting, 'content', NOW + timings.findPostAfterMs)).toEqual(FIND_CARD);
    expect(timings.findPostAfterMs).toBeGreaterThan(timings.slackTimeoutMs);
  });

  test('is the reply where the end has to wait for its turn on the card, and then the card', () => {
    const waiting = {
      ...sent,
      shown: 'progress',
      lanePlace: NOW + 60_000,
      nextAt: NOW + 60_000,
    };
    const one = operation({ card: waiting, execution: over });
    expect(moves.nextMessage(one, 'content', NOW, timings)).toEqual(POST_REPLY);
    expect(moves.nextMessage(one, 'content', NOW + 60_000, timings)).toEqual(EDIT_CARD);
    const done = operation({ card: waiting, reply: sent, execution: over });
    expect(moves.nextMessage(done, 'content', NOW, timings)).toBeUndefined();
    expect(moves.nextMessageAt(done, 'content', timings)).toBe(NOW + 60_000);
  });

  test('is nothing once it is closed', () => {
    const closed = moves.closed(operation({ card: sent, reply: sent, execution: over }), NOW);
    expect(closed && next(closed)).toBeUndefined();
    expect(closed && moves.nextMessageAt(closed, 'other', timings)).toBe(Number.POSITIVE_INFINITY);
    expect(closed && moves.closed(closed, NOW)).toBeUndefined();
  });
});

describe('a post', () => {
  const posting = moves.startPosting(operation({}), 'card', 'content', NOW);
  if (!posting) throw new Error('a new card can be posted');

  test('is written down before it leaves, and by one only', () => {
    expect(posting.card).toMatchObject({ state: 'posting', postingAt: NOW, shown: 'content' });
    expect(moves.startPosting(posting, 'card', 'content', NOW)).toBeUndefined();
  });

  test('that certainly failed is tried again after a while, longer each time, for a day', () => {
    const waits: number[] = [];
    let one = posting;
    for (let tries = 1; tries < 20; tries++) {
      const waiting = moves.notPosted(one, 'card', one.card.postingAt, undefined, NOW);
      if (!waiting) throw new Error('it was posting');
      waits.push(waiting.card.nextAt - NOW);
      one = moves.startPosting(waiting, 'card', 'content', NOW) ?? one;
    }
    expect(waits.slice(0, 4)).toEqual([500, 1_000, 2_000, 4_000]);
    expect(Math.max(...waits)).toBe(timings.longestBackOffMs);
    const dayAndMore = NOW + 25 * 3_600_000;
    expect(moves.notPosted(one, 'card', one.card.postingAt, undefined, dayAndMore)?.card.state).toBe(
      'dead-lettered',
    );
  });

  test('that Slack asked to wait for waits as long', () => {
    expect(moves.notPosted(posting, 'card', posting.card.postingAt, passing, NOW)?.card).toMatchObject({
      state: 'waiting',
      nextAt: NOW + 7_000,
    });
  });

  test('that can never arrive is dead-lettered at once', () => {
    expect(moves.notPosted(posting, 'card', posting.card.postingAt, dead, NOW)?.card.state).toBe(
      'dead-lettered',
    );
  });

  test('goes to who is next each time that its place refuses it', () => {
    const redirected = moves.redirected(posting, 'card', posting.card.postingAt, 'D1', NOW);
    expect(redirected?.card).toMatchObject({ state: 'waiting', fallback: 'D1', nextAt: NOW });
    const again = redirected && moves.startPosting(redirected, 'card', 'content', NOW);
    const third = again && moves.redirected(again, 'card', again.card.postingAt, 'D2', NOW);
    expect(third?.card).toMatchObject({ state: 'waiting', fallback: 'D2' });
    // What was late, and has been redirected meanwhile, moves nothing.
    expect(third && moves.redirected(third, 'card', again?.card.postingAt, 'D3', NOW)).toBeUndefined();
  });

  test('that cannot be looked up is not repeated where it would call somebody twice', () => {
    const reply = operation({ card: sent, execution: over, reply: { state: 'posting', postingAt: NOW } });
    expect(moves.notFound(reply, 'reply', reply.reply.postingAt, dead, NOW)?.reply.state).toBe(
      'dead-lettered',
    );
    expect(moves.notFound(posting, 'card', posting.card.postingAt, dead, NOW)?.card.state).toBe('waiting');
    expect(moves.notFound(posting, 'card', posting.card.postingAt, passing, NOW)?.card.state).toBe('posting');
  });
});

describe('an edit', () => {
  const shown = operation({ card: { ...sent, shown: 'old' } });

  test('that arrived leaves nothing to do', () => {
    const after = moves.edited(shown, undefined, 'content', NOW);
    expect(after?.card).toMatchObject({ shown: 'content', tries: 0 });
    expect(after && next(after)).toBeUndefined();
  });

  test('whose answer is lost is made again, and once more when it can no longer overtake', () => {
    const after = moves.notEdited(shown, undefined, unknown, NOW, timings);
    expect(after?.card).toMatchObject({ tries: 1, repeatAt: NOW + timings.findPostAfterMs });
    const redone =
      after &&
      moves.edited(
        {
          ...after,
          execution: { ...after.execution, state: 'ended' },
          reply: { ...after.reply, state: 'sent' },
        },
        undefined,
        'content',
        NOW + 600,
      );
    expect(redone?.card.repeatAt).toBe(NOW + timings.findPostAfterMs);
    expect(redone && next(redone, 'content', NOW + 700)).toBeUndefined();
    const late = NOW + timings.findPostAfterMs;
    expect(redone && next(redone, 'content', late)).toEqual({ do: 'edit', part: 'card' });
    const last = redone && moves.edited(redone, undefined, 'content', late);
    expect(last && next(last, 'content', late)).toEqual({ do: 'close' });
  });

  test('of a card that is not there is none', () => {
    expect(moves.edited(operation({}), undefined, 'content', NOW)).toBeUndefined();
    expect(moves.notEdited(operation({}), undefined, passing, NOW, timings)).toBeUndefined();
  });
});

test('equal messages have equal hashes, and others do not', () => {
  const one = { lines: [say`Restarting ${'web-1'}`] };
  expect(moves.contentHash(one)).toBe(moves.contentHash({ lines: [say`Restarting web-1`] }));
  expect(moves.contentHash(one)).not.toBe(moves.contentHash({ lines: [say`Restarting ${'web-2'}`] }));
  expect(moves.contentHash(one)).toMatch(/^[A-Za-z0-9_-]{22}$/);
});

/** What Slack makes of one call. */
type Luck = 'ok' | 'refused' | 'dead' | 'lost' | 'lost but there' | 'crash';
const luck = fc.constantFrom<Luck>('ok', 'ok', 'ok', 'refused', 'dead', 'lost', 'lost but there', 'crash');
const lucky = fc.constantFrom<Luck>('ok', 'ok', 'refused', 'lost', 'lost but there', 'crash');

interface World {
  one: Operation;
  now: number;
  /** What really stands in Slack. */
  cards: number;
  replies: number;
  posts: number;
  shown: string;
}

/** One step of the order of the messages, as post-messages.ts takes it, against a Slack with that luck. */
function speak(world: World, contentKey: string, chance: Luck, canFind: boolean): void {
  const step = next(world.one, contentKey, world.now);
  if (!step) {
    const at = moves.nextMessageAt(world.one, contentKey, timings);
    world.now = Number.isFinite(at) ? Math.max(world.now + 1, at) : world.now + 1_000;
    return;
  }
  const { now } = world;
  const keep = (after: Operation | undefined): void => {
    expect(after).toBeDefined();
    world.one = after ?? world.one;
  };
  if (step.do === 'close') return keep(moves.closed(world.one, now));
  if (step.do === 'edit') {
    if (chance === 'ok' || chance === 'lost but there') world.shown = contentKey;
    if (chance === 'ok') return keep(moves.edited(world.one, undefined, contentKey, now));
    if (chance === 'crash') return;
    return keep(
      moves.notEdited(
        world.one,
        undefined,
        chance === 'dead' ? dead : chance === 'refused' ? passing : unknown,
        now,
        timings,
      ),
    );
  }
  if (step.do === 'set row') throw new Error('no board was joined');
  const { part } = step;
  const there = (): number => (part === 'card' ? world.cards : world.replies);
  if (step.do === 'find') {
    if (!canFind) return keep(moves.notFound(world.one, part, world.one[part].postingAt, dead, now));
    if (chance === 'refused' || chance === 'lost' || chance === 'dead')
      return keep(moves.notFound(world.one, part, world.one[part].postingAt, passing, now));
    if (chance === 'crash') return;
    const found = there() > 0 ? [{ channelId: 'C1', ts: '1.1' }] : [];
    return keep(moves.lookedUp(world.one, part, world.one[part].postingAt, found, now));
  }
  if (step.do === 'dedupe') {
    const { repostedAt } = world.one[part];
    if (chance === 'ok') return keep(moves.deduped(world.one, part, repostedAt));
    return keep(moves.dedupeFailed(world.one, part, repostedAt, chance === 'dead' ? dead : passing, now));
  }
  // Never a post while one may be on its way, and the reply only under a card that tells the end.
  expect(world.one[part].state).toBe('waiting');
  if (part === 'reply') {
    expect(world.one.execution.state).toBe('ended');
    // A card that can't be shown must not keep the end from being reported.
    if (world.one.card.state !== 'dead-lettered') {
      expect(world.one.card.state).toBe('sent');
      expect(world.one.card.shown).toBe(contentKey);
    }
  }
  keep(moves.startPosting(world.one, part, contentKey, now));
  world.posts += 1;
  const arrives = chance === 'ok' || chance === 'lost but there';
  if (arrives && part === 'card') {
    world.cards += 1;
    world.shown = contentKey;
  }
  if (arrives && part === 'reply') world.replies += 1;
  if (chance === 'ok')
    keep(moves.posted(world.one, part, world.one[part].postingAt, { channelId: 'C1', ts: '1.1' }, now));
  else if (chance === 'dead') keep(moves.notPosted(world.one, part, world.one[part].postingAt, dead, now));
  else if (chance === 'refused')
    keep(moves.notPosted(world.one, part, world.one[part].postingAt, passing, now));
  world.now += 1;
}

function run(chances: readonly Luck[], endsAt: number): World {
  const world: World = { one: operation({}), now: NOW, cards: 0, replies: 0, posts: 0, shown: '' };
  for (const [index, chance] of chances.entries()) {
    if (index === endsAt)
      world.one = ended(world.one, { result: 'done', code: 'done', at: world.now }) ?? world.one;
    speak(world, index < endsAt ? 'working' : 'done', chance, true);
  }
  return world;
}

test('whatever Slack does, there is at most one card and one reply', () => {
  fc.assert(
    fc.property(fc.array(luck, { minLength: 5, maxLength: 200 }), fc.nat(20), (chances, endsAt) => {
      const { cards, replies } = run(chances, endsAt);
      return cards <= 1 && replies <= 1;
    }),
    { numRuns: runs(3_000) },
  );
});

test('where Slack gets well again, the end is reported once and the card shows it', () => {
  fc.assert(
    fc.property(fc.array(lucky, { maxLength: 12 }), fc.nat(10), (chances, endsAt) => {
      const well = Array.from({ length: 60 }, (): Luck => 'ok');
      const { one, cards, replies, shown } = run([...chances, ...well], endsAt);
      expect({ cards, replies, shown, closed: one.closedAt !== undefined }).toEqual({
        cards: 1,
        replies: 1,
        shown: 'done',
        closed: true,
      });
    }),
    { numRuns: runs(3_000) },
  );
});

describe('the button of a card that has been used', () => {
  const used = { kind: 'instances.restart', userId: 'U2', at: NOW };
  const ofEnded = (more: Parameters<typeof operation>[0]): Operation => {
    const done = ended(operation({ card: sent, reply: sent, ...more }), {
      result: 'unknown',
      code: 'no-answer',
      at: NOW,
    })!;
    return { ...done, closedAt: NOW };
  };

  test('opens what was closed for one more edit, and closes it again without another reply', () => {
    const open = buttonUsed(ofEnded({}), used)!;
    expect(open).toMatchObject({ next: used });
    expect(open.closedAt).toBeUndefined();
    expect(next(open, 'another content')).toEqual({ do: 'edit', part: 'card' });
    const shown = moves.edited(open, undefined, 'another content', NOW) ?? open;
    expect(next(shown, 'another content')).toEqual({ do: 'close' });
  });

  test('is marked once, and not where there is no card', () => {
    const open = buttonUsed(ofEnded({}), used)!;
    expect(buttonUsed(open, { ...used, userId: 'U3' })).toBeUndefined();
    expect(buttonUsed(ofEnded({ card: { state: 'dead-lettered' } }), used)).toBeUndefined();
  });
});

test('at most fifty people follow an operation, each once, and nobody one that has ended', () => {
  const people = Array.from({ length: 60 }, (_, index) => `U${index}`);
  let one = operation({});
  for (const userId of [...people, ...people]) one = followed(one, userId) ?? one;
  expect(one.followers).toEqual(people.slice(0, 50));
  expect(followed(one, 'U7')).toEqual(one);
  expect(followed(ended(one, { result: 'done', code: 'done', at: NOW })!, 'U7')).toBeUndefined();
});
