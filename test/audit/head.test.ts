import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type PrivateRedis, startRedis } from '../../sandbox/redis.ts';
import { createAudit, commit, type Committed, push, set } from '../../src/core/records/commit.ts';
import { absent } from '../../src/core/records/conditions.ts';
import { verifyAudit } from '../../src/core/audit/audit-reader.ts';

const ENTRY = { what: 'asked', at: 0, requestId: 'r', route: 'instances.stop' } as const;

// One of its own, since it is emptied.
let server: PrivateRedis;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
});

beforeEach(async () => {
  await redis.flushall();
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

it('the chain stays whole where two processes write by turns, after each wrote alone for a while', async () => {
  const [one, other] = [createAudit(redis), createAudit(redis)];
  for (const audit of [one, one, one, other, other, other, one, other, one, other]) await audit.append(ENTRY);
  await Promise.all([one.append(ENTRY), other.append(ENTRY)]);
  expect(await verifyAudit(redis)).toMatchObject({ count: 12, fault: undefined });
  // As after a Redis that lost all it had.
  await redis.flushall();
  for (const audit of [one, one, one, other]) await audit.append(ENTRY);
  expect(await verifyAudit(redis)).toMatchObject({ count: 4, fault: undefined });
});

it('what is recorded at once goes to Redis together, and stands there in its order', async () => {
  const audit = createAudit(redis);
  await audit.append({ ...ENTRY, requestId: 'first' });
  const sending = vi.spyOn(redis, 'evalsha');
  const all = Array.from({ length: 20 }, (_, nth) => audit.append({ ...ENTRY, requestId: `r${nth}` }));
  await all[0];
  expect(sending).toHaveBeenCalledTimes(20);
  await Promise.all(all);
  expect(await verifyAudit(redis)).toMatchObject({ count: 21, fault: undefined });
  expect(await refs()).toEqual(['first', ...all.map((_, nth) => `r${nth}`)]);
});

/** Sets a text, unless something stands there, with the entry that records it. */
function setText(key: string, requestId: string): Promise<Committed<'no'>> {
  return commit<'no'>(redis, {
    if: [absent(key, 'no')],
    write: [set(key, requestId, 60_000)],
    audit: { ...ENTRY, requestId },
  });
}

it('a change that does not apply is not recorded, and what comes behind it is, once, and in its order', async () => {
  await redis.set('taken', 'x');
  const keys = Array.from({ length: 120 }, (_, nth) => (nth % 40 === 1 ? 'taken' : `free-${nth}`));
  const all = await Promise.all(keys.map((key, nth) => setText(key, `r${nth}`)));
  expect(all.map(({ result }) => result)).toEqual(keys.map((key) => (key === 'taken' ? 'no' : 'written')));
  expect(await verifyAudit(redis)).toMatchObject({ count: 117, fault: undefined });
  expect(await refs()).toEqual(keys.flatMap((key, nth) => (key === 'taken' ? [] : [`r${nth}`])));
});

it('a change that Redis refuses fails by itself', async () => {
  const audit = createAudit(redis);
  await redis.set('text', 'no list');
  const all = await Promise.allSettled([
    audit.append(ENTRY),
    commit(redis, { write: [push('text', 'x', 1, 60_000)], audit: ENTRY }),
    audit.append(ENTRY),
  ]);
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await verifyAudit(redis)).toMatchObject({ count: 2, fault: undefined });
});

it('where the audit can not be read, nothing is changed', async () => {
  await redis.set('{lamplighter}:audit:head', 'no hash');
  await expect(setText('text', 'r')).rejects.toThrow('WRONGTYPE');
  expect(await redis.get('text')).toBeNull();
});

it('two processes that each record much at once both get through', async () => {
  const audits = [createAudit(redis), createAudit(redis)];
  await Promise.all(audits.flatMap((audit) => Array.from({ length: 120 }, () => audit.append(ENTRY))));
  expect(await verifyAudit(redis)).toMatchObject({ count: 240, fault: undefined });
});

/** What the entries refer to, oldest first. */
async function refs(): Promise<string[]> {
  const all = await redis.xrange('{lamplighter}:audit', '-', '+');
  return all.map(([, fields]) => String(JSON.parse(fields[fields.indexOf('e') + 1] ?? '{}').requestId));
}
