import { readdirSync, readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { leastUser } from '../support/least-user.ts';
import { openRedisAddress } from '../support/redis-address.ts';
import { answerTo, play, powerCalls, readAll, runToEnd } from '../support/sandbox.ts';

it('works with the Redis user that the manual gives it, who may touch nothing but its own keys', async () => {
  const sandbox = await play({ ownRedis: true, bot: false });
  const { rules, login } = leastUser();
  const admin = new Redis(sandbox.redisUrl);
  await admin.set('somebody-elses', 'secret');
  await admin.call('ACL', 'SETUSER', ...rules);
  const { port } = await openRedisAddress(sandbox.redisUrl);
  const url = `redis://${login}@127.0.0.1:${port}`;
  const redis = new Redis(url);
  await expect(redis.get('somebody-elses')).rejects.toThrow('NOPERM');
  await expect(redis.publish('{lamplighter}:any', 'x')).rejects.toThrow('NOPERM');
  await expect(redis.flushall()).rejects.toThrow('NOPERM');
  redis.disconnect();
  await admin.call('ACL', 'LOG', 'RESET');

  await sandbox.startBot({ REDIS_URL: url });
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  expect(readAll(sandbox)[0]).toContain('Restarted web-1');
  expect(powerCalls(sandbox)).toBe(1);
  expect(await answerTo(sandbox, 'admin', '/lamplighter doctor')).toContain(
    'it is not checked: appendfsync.',
  );
  await sandbox.stopBots();
  const refused = JSON.stringify(await admin.call('ACL', 'LOG')).matchAll(/"object"[,:]"([^"]+)"/g);
  // The one that a start can do without.
  expect(new Set([...refused].map(([, what]) => what))).toEqual(new Set(['config|get']));
  admin.disconnect();
});

it('the manual gives that user each command that a script of the bot or of BullMQ may call', () => {
  const { rules } = leastUser();
  const files = ['src', 'node_modules/bullmq/dist/cjs/scripts'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => `${root}/${path}`),
  );
  const scripts = files.filter((path) => path.endsWith('.lua') || /cjs\/scripts\/.*\.js$/.test(path));
  const called = scripts.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/call\(\s*\\?['"](\w+)\\?['"]/g)].map(
      ([, name = '']) => `+${name.toLowerCase()}`,
    ),
  );
  expect(called.length).toBeGreaterThan(500);
  expect([...new Set(called)].filter((rule) => !rules.includes(rule))).toEqual([]);
});
