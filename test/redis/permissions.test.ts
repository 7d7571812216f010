import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { play, powerCalls, readAll, runToEnd } from '../support/sandbox.ts';

it('works with a Redis user who may touch nothing but its own keys', async () => {
  const sandbox = await play({ ownRedis: true, bot: false });
  const redis = new Redis(sandbox.redisUrl);
  await redis.set('somebody-elses', 'secret');
  await redis.call(
    'ACL',
    'SETUSER',
    'default',
    'resetkeys',
    '~{lamplighter}:*',
    ...'-@all +@read +@write +@connection +@scripting +@blocking +@transaction -@dangerous +info +time'.split(
      ' ',
    ),
    '+evalsha',
  );
  await expect(redis.get('somebody-elses')).rejects.toThrow('NOPERM');
  await expect(redis.flushall()).rejects.toThrow('NOPERM');
  redis.disconnect();

  await sandbox.startBot();
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  expect(readAll(sandbox)[0]).toContain('Restarted web-1');
  expect(powerCalls(sandbox)).toBe(1);
});
