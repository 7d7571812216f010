import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type PrivateRedis, startRedis } from '../../sandbox/redis.ts';
import { createAudit, loadAudited } from '../../src/core/audit/audit.ts';
import { verifyAudit } from '../../src/core/audit/audit-reader.ts';

const ENTRY = { what: 'asked', at: 0, ref: 'r', route: 'instances.stop' } as const;

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
  await audit.append({ ...ENTRY, ref: 'first' });
  const sending = vi.spyOn(redis, 'evalsha');
  const all = Array.from({ length: 20 }, (_, nth) => audit.append({ ...ENTRY, ref: `r${nth}` }));
  await all[0];
  expect(sending).toHaveBeenCalledTimes(20);
  await Promise.all(all);
  expect(await verifyAudit(redis)).toMatchObject({ count: 21, fault: undefined });
  expect(await refs()).toEqual(['first', ...all.map((_, nth) => `r${nth}`)]);
});

it('what comes behind a change that does not apply is recorded all the same, once, and in its order', async () => {
  const audit = createAudit(redis);
  const run = await scriptOf("if ARGV[1] == 'no' then return 'no' end", 'auditWrite()', "return 'yes'");
  // More than go out together.
  const wanted = Array.from({ length: 120 }, (_, nth) => (nth % 40 === 1 ? 'no' : 'yes'));
  const answers = wanted.map((word, nth) => audit.run(run, [], [word], { ...ENTRY, ref: `r${nth}` }));
  expect(await Promise.all(answers)).toEqual(wanted);
  expect(await verifyAudit(redis)).toMatchObject({ count: 117, fault: undefined });
  expect(await refs()).toEqual(wanted.flatMap((word, nth) => (word === 'yes' ? [`r${nth}`] : [])));
});

it('a change that Redis refuses fails by itself', async () => {
  const audit = createAudit(redis);
  const fails = await scriptOf("redis.call('LPUSH', KEYS[1], 'x')", 'auditWrite()', "return 'yes'");
  await redis.set('text', 'no list');
  const all = await Promise.allSettled([
    audit.append(ENTRY),
    audit.run(fails, ['text'], [], ENTRY),
    audit.append(ENTRY),
  ]);
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await verifyAudit(redis)).toMatchObject({ count: 2, fault: undefined });
});

it('where the audit can not be read, nothing is changed', async () => {
  const audit = createAudit(redis);
  const change = await scriptOf("redis.call('SET', KEYS[1], 'x')", 'auditWrite()', "return 'yes'");
  await redis.set('lamplighter:audit:head', 'no hash');
  await expect(audit.run(change, ['text'], [], ENTRY)).rejects.toThrow('WRONGTYPE');
  expect(await redis.get('text')).toBeNull();
});

it('two processes that each record much at once both get through', async () => {
  const audits = [createAudit(redis), createAudit(redis)];
  await Promise.all(audits.flatMap((audit) => Array.from({ length: 120 }, () => audit.append(ENTRY))));
  expect(await verifyAudit(redis)).toMatchObject({ count: 240, fault: undefined });
});

/** A recorded script of these lines. */
async function scriptOf(...lines: readonly string[]): Promise<ReturnType<typeof loadAudited>> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-audit-'));
  const file = join(folder, 'script.lua');
  await writeFile(file, lines.join('\n'));
  const script = loadAudited(pathToFileURL(file));
  await rm(folder, { recursive: true });
  return script;
}

/** What the entries refer to, oldest first. */
async function refs(): Promise<string[]> {
  const all = await redis.xrange('lamplighter:audit', '-', '+');
  return all.map(([, fields]) => String(JSON.parse(fields[fields.indexOf('e') + 1] ?? '{}').ref));
}
