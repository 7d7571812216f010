import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { IMPATIENCE, play, powerCalls, readAll } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

it('a Redis that refuses writes for a while costs neither the end of a restart nor a log full of one line', async () => {
  const sandbox = await play({ ownRedis: true, timings: IMPATIENCE });
  const redis = new Redis(sandbox.redisUrl);
  const ana = sandbox.slack.person('ana');
  const held = sandbox.hosting.hold({ method: 'POST' }, 'after');
  await ana.types('#ops', '/instances restart web-1');
  await held.arrived;
  await redis.config('SET', 'min-replicas-to-write', '1');
  held.release();
  const interaction = await ana.types('#ops', '/instances restart web-2');
  expect(interaction.body).toMatch(/nothing was done|I don't know whether it will be done/);
  await until(() => sandbox.logs.some((line) => line.includes('NOREPLICAS')));
  await redis.config('SET', 'min-replicas-to-write', '0');
  redis.disconnect();
  await sandbox.settled();
  expect(readAll(sandbox)).toHaveLength(2);
  expect(readAll(sandbox)[0]).toContain('web-1');
  expect(powerCalls(sandbox)).toBe(1);
  expect(sandbox.logs.length).toBeLessThan(100);
});
