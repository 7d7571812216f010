import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { startRedis } from '../../sandbox/redis.ts';
import { createAudit } from '../../src/core/audit/audit.ts';
import { verifyAudit } from '../../src/core/audit/audit-reader.ts';

const ENTRY = { what: 'asked', at: 0, ref: 'r', route: 'instances.stop' } as const;

it('the chain stays whole where two processes write by turns, after each wrote alone for a while', async () => {
  // One of its own, since it is emptied.
  const server = await startRedis();
  const redis = new Redis(server.url);
  onTestFinished(async () => {
    redis.disconnect();
    await server.stop();
  });
  const [one, other] = [createAudit(redis), createAudit(redis)];
  for (const audit of [one, one, one, other, other, other, one, other, one, other]) await audit.append(ENTRY);
  await Promise.all([one.append(ENTRY), other.append(ENTRY)]);
  expect(await verifyAudit(redis)).toMatchObject({ count: 12, fault: undefined });
  // As after a Redis that lost all it had.
  await redis.flushall();
  for (const audit of [one, one, one, other]) await audit.append(ENTRY);
  expect(await verifyAudit(redis)).toMatchObject({ count: 4, fault: undefined });
});
