import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { answerTo, play, powerCalls, readAll, SOON_FOUND } from '../support/sandbox.ts';

const RECORDS = ['{lamplighter}:operation:*', '{lamplighter}:operations:*', '{lamplighter}:lock:*'];

it('a restart whose end Redis has lost ends again, and holds its instance no longer', async () => {
  const sandbox = await play({ hosting: { powerMs: 1_000 }, timings: SOON_FOUND });
  const redis = new Redis(sandbox.redisUrl);
  onTestFinished(() => redis.disconnect());
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await sandbox.slack.until(() => /It reports restarting/.test(readAll(sandbox)[0] ?? ''));
  const keys = (await Promise.all(RECORDS.map((pattern) => redis.keys(pattern)))).flat();
  const records = await Promise.all(keys.map(async (key) => [key, await redis.dumpBuffer(key)] as const));
  await sandbox.settled();

  for (const [key, record] of records) if (record) await redis.restore(key, 0, record, 'REPLACE');
  await sandbox.settled();
  expect(powerCalls(sandbox)).toBe(1);
  expect(await redis.keys('{lamplighter}:lock:*')).toEqual([]);
  expect(await answerTo(sandbox, 'ana', '/instances stop web-1')).toContain('Stop web-1 (101)?');
});
