import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { dmWith } from '../support/asking.ts';
import { fileWith } from '../support/file-with.ts';
import { leastUser } from '../support/least-user.ts';
import { openRedisAddress } from '../support/redis-address.ts';
import { answerTo, play, powerCalls, readAll, runToEnd } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

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

it('a password that is replaced in its file opens the next connections, and a wrong one leaves the one before', async () => {
  const sandbox = await play({ ownRedis: true, bot: false, timings: { settingsEveryMs: 40 } });
  const admin = new Redis(sandbox.redisUrl);
  const { rules, login } = leastUser();
  await admin.call('ACL', 'SETUSER', ...rules);
  const [user = '', before = ''] = login.split(':');
  const { port } = await openRedisAddress(sandbox.redisUrl);
  const urlWith = (password: string): string => `redis://${user}:${password}@127.0.0.1:${port}`;
  const path = fileWith(urlWith(before));
  await sandbox.startBot({ REDIS_URL: '', REDIS_URL_FILE: path });
  writeFileSync(path, urlWith('canary-of-nobody'));
  await dmWith(sandbox, 'admin', 'REDIS_URL: Redis refuses the new one');
  await admin.call('ACL', 'SETUSER', user, '>canary-of-redis');
  writeFileSync(path, urlWith('canary-of-redis'));
  await until(() => sandbox.logs.some((line) => line.includes('what changed in files counts now')));
  await admin.call('ACL', 'SETUSER', user, `<${before}`);
  await admin.call('CLIENT', 'KILL', 'USER', user);
  await until(async () => (await answerTo(sandbox, 'ana', '/instances show web-1')).includes('web-1 (101)'));
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  expect(readAll(sandbox)[0]).toContain('Restarted web-1');
  expect(sandbox.logs.join('') + sandbox.slack.dump()).not.toContain('canary-of');
  writeFileSync(path, `redis://${user}:canary-of-redis@127.0.0.1:1`);
  await dmWith(sandbox, 'admin', 'needs a restart before it counts');
  await sandbox.stopBots();
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
