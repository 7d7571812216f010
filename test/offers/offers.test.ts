import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type PrivateRedis, startRedis } from '../../sandbox/redis.ts';
import { createOffers, type OfferKind, type Offers } from '../../src/core/offers/offers.ts';
import { theirs } from '../../src/core/offers/confirmation.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { answerKept, askedOf, KEPT_WORDS } from '../../src/core/intake/kept-words.ts';
import { cancelOffered, isStillOpen, offered } from '../../src/core/offers/canceled.ts';
import { say, toPlainText } from '../../src/platform/slack/phrase.ts';

const TEA: OfferKind<{ readonly leaf: string }> = { name: 'tea', schema: z.object({ leaf: z.string() }) };
const COFFEE: OfferKind<{ readonly leaf: string }> = {
  name: 'coffee',
  schema: z.object({ leaf: z.string() }),
};

let server: PrivateRedis;
let redis: Redis;
let offers: Offers;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
  offers = createOffers(redis);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

test('the id of one kind stands for nothing where another is looked for, and uses none of it up', async () => {
  const id = await offers.make(TEA, { leaf: 'green' });
  expect(await offers.find(COFFEE, id)).toEqual({});
  expect(await offers.use(COFFEE, id, 'bob')).toBe('bob');
  expect(await offers.find(TEA, id)).toEqual({ what: { leaf: 'green' } });
});

test('of many that use one at the same time, each hears of the same one', async () => {
  const id = await offers.make(TEA, { leaf: 'green' });
  const users = Array.from({ length: 20 }, (_, nth) => `user-${nth}`);
  const used = await Promise.all(users.map((user) => offers.use(TEA, id, user)));
  expect(new Set(used).size).toBe(1);
  expect(await offers.find(TEA, id)).toEqual({ what: { leaf: 'green' }, usedBy: used[0] });
});

test.each([
  ['is too old', {}, 'U1', 'button-expired'],
  ['was used is not too old: what became of it is said', { usedBy: 'x' }, 'U1', 'counts'],
  ['was used is still nobody else’s', { usedBy: 'x' }, 'U2', 'foreign'],
])('what one person was offered and %s', (_what, used, userId, outcome) => {
  const offer = { what: { actor: { userId: 'U1' }, expiresAt: 1 }, ...used };
  const judged = (): string => {
    try {
      theirs(
        offer,
        { route: 'r', actor: { userId }, askedAt: 2 },
        {
          foreign: () => new Refusal('foreign', say`No.`),
          expired: () => new Refusal('button-expired', say`Late.`),
        },
      );
      return 'counts';
    } catch (error) {
      return error instanceof Refusal ? error.code : 'broken';
    }
  };
  expect(judged()).toBe(outcome);
});

test('what one person canceled counts for nobody, and only they can cancel it', async () => {
  const [asker, other] = [{ userId: 'U1' }, { userId: 'U2' }];
  const pressedBy = (id: string, actor: { userId: string }): Promise<unknown> =>
    answerKept(offers, id, { id: `request of ${actor.userId}`, actor }).catch((error: unknown) =>
      error instanceof Refusal ? error.answer.lines.map(toPlainText).join(' ') : error,
    );
  const asked = { ...askedOf({ actor: asker, askedAt: 0 }), words: ['web-1'] };
  const [first, second] = await Promise.all([offers.make(KEPT_WORDS, asked), offers.make(KEPT_WORDS, asked)]);
  const cancels = offered(KEPT_WORDS, first, second);
  await expect(cancelOffered(offers, { actor: other }, cancels)).rejects.toMatchObject({
    code: 'confirmation-foreign',
  });
  await cancelOffered(offers, { actor: asker }, cancels);
  await cancelOffered(offers, { actor: asker }, cancels);
  expect(await pressedBy(first, asker)).toMatch(/^You canceled that/);
  expect(await pressedBy(second, other)).toMatch(/U1.* canceled that/);
  const third = await offers.make(KEPT_WORDS, asked);
  expect(await isStillOpen(offers, offered(KEPT_WORDS, third), 1)).toBe(true);
  expect(await pressedBy(third, other)).toEqual({ words: ['web-1'] });
  expect(await isStillOpen(offers, offered(KEPT_WORDS, third), 1)).toBe(true);
  expect(await pressedBy(third, asker)).toEqual({ words: ['web-1'] });
  expect(await isStillOpen(offers, offered(KEPT_WORDS, third), 1)).toBe(false);
  await expect(cancelOffered(offers, { actor: asker }, offered(KEPT_WORDS, third))).rejects.toMatchObject({
    code: 'over',
  });
});
