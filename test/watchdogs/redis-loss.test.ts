import { Redis } from 'ioredis';
import { expect, it, vi } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import type { Operations } from '../../src/core/operations/operations.ts';
import {
  createRedisLossWatchdog,
  createRedisMarks,
  markOf,
  type RedisMark,
  redisKeys,
} from '../../src/core/watchdogs/redis-loss.ts';
import { createLog } from '../../src/platform/log/log.ts';
import type { Message } from '../../src/platform/slack/message.ts';
import type { Messenger } from '../../src/platform/slack/messenger.ts';
import { toText } from '../../src/platform/slack/phrase.ts';
import { operation } from '../operations/operation.ts';
import { connectDatabase } from '../support/shared-redis.ts';
import { createFailpoints } from '../support/failpoints.ts';
import { watch } from '../billing/watching.ts';
import { answerTo, play, readAll } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const admin = (sandbox: Sandbox): string[] =>
  sandbox.slack.person('admin').dms.map((message) => sandbox.slack.read(message));

it('an admin reads once that Redis came back empty, and what was under way', async () => {
  const sandbox = await play({
    ownRedis: true,
    bot: false,
    timings: { patienceMs: 60_000, slowAfterMs: 60_000, watchdogEveryMs: 250 },
  });
  const bots = [createFailpoints(), createFailpoints()];
  for (const { faultPoints } of bots) await sandbox.startBot({}, faultPoints);
  /** Until each of them has looked what is open, from its beginning to its end. */
  const bothLooked = async (): Promise<void> => {
    const looks = ({ passed }: (typeof bots)[number]): number =>
      passed.filter((point) => point.startsWith('operations.listOpen')).length;
    await Promise.all(
      bots.map((bot) => {
        const before = looks(bot);
        return until(() => looks(bot) >= before + 2);
      }),
    );
  };
  sandbox.hosting.setBehavior(101, { powerMs: 60_000 });
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('It reports restarting'));
  await bothLooked();

  const redis = new Redis(sandbox.redisUrl);
  await redis.flushall();
  await sandbox.slack.until(() => admin(sandbox).length > 0);
  await bothLooked();
  expect(admin(sandbox)).toHaveLength(1);
  expect(admin(sandbox)[0]).toContain('Redis came back empty');
  expect(admin(sandbox)[0]).toContain('web-1 (101) is restarting, asked by @ana');
  expect(await redis.exists(redisKeys.identity)).toBe(1);
  redis.disconnect();

  await sandbox.slack.person('ana').types('#ops', '/instances stop web-2');
  await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Stopped web-2')));
});

/** A watch of a Redis of its own, with nobody else, and what it tells. `lost`: what is found lost, look by look. */
async function checkRedis(
  lost: (readonly Operation[])[] = [],
  recall: (redis: Redis) => Promise<readonly RedisMark[]> = () => Promise.resolve([]),
): Promise<{
  redis: Redis;
  check: () => Promise<void>;
  told: () => readonly string[];
  counted: readonly string[];
}> {
  const redis = await connectDatabase();
  const counted: string[] = [];
  const posted: Message[] = [];
  const check = createRedisLossWatchdog({
    redis,
    marks: createRedisMarks(redis),
    recall: () => recall(redis),
    holding: undefined,
    // Nothing else is asked of them.
    operations: {
      takeLost: () => Promise.resolve(lost.shift() ?? []),
      listOpenLatest: () => Promise.resolve([]),
      knows: () => false,
    } as unknown as Operations,
    messenger: {
      directChannel: () => Promise.resolve('D0ADMIN0001'),
      post: (_where: unknown, message: Message) => Promise.resolve(posted.push(message)),
    } as unknown as Messenger,
    admins: () => ['U0ADMIN0001'],
    log: createLog('silent', []),
    metrics: { redisLost: (loss) => void counted.push(loss) },
  });
  const told = (): readonly string[] =>
    posted.map(({ lines }) => lines.map((line) => toText(line)).join('\n'));
  return { redis, check, told, counted };
}

it('a Redis that is emptied just as it is looked at is told as that, once', async () => {
  const { redis, check, told, counted } = await checkRedis();
  for (let count = 0; count < 3; count++) await check();
  const read = redis.get.bind(redis);
  const reads = vi.spyOn(redis, 'get').mockImplementationOnce(async (key) => {
    const found = await read(key);
    await redis.flushdb();
    return found;
  });
  await check();
  const wasFlushed = reads.mock.calls.length > 0;
  reads.mockRestore();
  if (!wasFlushed) await redis.flushdb();
  for (let count = 0; count < 3; count++) await check();
  expect(told()).toEqual([expect.stringContaining('Redis came back empty')]);
  expect(counted).toEqual(['empty']);
});

it('what Redis has lost is told by the next look where the first can not say who tells', async () => {
  const { redis, check, told, counted } = await checkRedis([[], [operation({})]]);
  await check();
  const reads = vi.spyOn(redis, 'set').mockRejectedValueOnce(new Error('Redis is away'));
  await expect(check()).rejects.toThrow('Redis is away');
  reads.mockRestore();
  await check();
  await check();
  expect(told()).toHaveLength(1);
  expect(counted).toEqual(['older']);
});

it('a Redis that knows fewer looks than were made is told and counted as older, once', async () => {
  const { redis, check, told, counted } = await checkRedis();
  for (let count = 0; count < 3; count++) await check();
  await redis.set(redisKeys.checks, 1);
  for (let count = 0; count < 3; count++) await check();
  expect(told()).toEqual([expect.stringContaining('Redis came back older than it was')]);
  expect(counted).toEqual(['older']);
});

it('a Redis at which others look while a process starts is as new as they say', async () => {
  let others: ReturnType<typeof createRedisMarks> | undefined;
  const { check, told, counted } = await checkRedis([], async (redis) => {
    others ??= createRedisMarks(redis);
    const marks = await others();
    return marks ? [markOf(marks)] : [];
  });
  for (let count = 0; count < 3; count++) await check();
  expect(told()).toEqual([]);
  expect(counted).toEqual([]);
});

it('a Redis that restarts with its data is nothing to tell', async () => {
  const sandbox = await play({ ownRedis: true, bot: false, timings: { watchdogEveryMs: 250 } });
  const { faultPoints, passed } = createFailpoints();
  await sandbox.startBot({}, faultPoints);
  await sandbox.redis!.kill();
  await sandbox.redis!.restart();
  const looks = (): number => passed.filter((point) => point.startsWith('operations.listOpen')).length;
  const after = looks();
  await until(() => looks() >= after + 2);
  expect(admin(sandbox)).toEqual([]);
});

it('an admin reads it too where a worker that is new has been at the empty Redis first', async () => {
  const sandbox = await play({ ownRedis: true, bot: false, timings: { watchdogEveryMs: 250 } });
  const { faultPoints, passed } = createFailpoints();
  await sandbox.startBot({}, faultPoints);
  const looks = (): number => passed.filter((point) => point.startsWith('operations.listOpen')).length;
  await until(() => looks() >= 1);
  const redis = new Redis(sandbox.redisUrl);
  await redis.multi().flushall().set(redisKeys.identity, 'of somebody who knew nothing before').exec();
  redis.disconnect();
  await sandbox.slack.until(() => admin(sandbox).length > 0);
  expect(admin(sandbox)[0]).toContain('As far as I know, nothing was in progress');
});

/** A bot that has left in Slack how new Redis was, and is stopped; then Redis is as it was at its beginning. */
async function stoppedOverOlderRedis(): Promise<Sandbox> {
  const sandbox = await watch({
    ownRedis: true,
    env: { LAMPLIGHTER_EVERYONE: 'operator' },
    timings: { billingCheckEveryMs: 100, watchdogEveryMs: 50 },
  });
  await sandbox.slack.until(() => sandbox.slack.scheduled().length === 1);
  await sandbox.stopBots();
  expect(sandbox.slack.scheduled()).toHaveLength(1);
  const redis = new Redis(sandbox.redisUrl);
  const before = Number(await redis.get(redisKeys.checks));
  await redis.set(redisKeys.checks, before - 3);
  redis.disconnect();
  return sandbox;
}

it('over a Redis that is older than before all were stopped nothing is changed until an admin ends that', async () => {
  const sandbox = await stoppedOverOlderRedis();
  await sandbox.startBot();
  const { slack } = sandbox;
  expect(await answerTo(sandbox, 'ana', '/instances restart web-1')).toMatch(
    /froze everything: "Redis is older than it was before I was started"/,
  );
  expect(sandbox.hosting.calls.filter(({ method }) => method === 'POST')).toEqual([]);
  await slack.until(() => admin(sandbox).some((text) => text.includes('Redis came back older')));
  const told = slack.person('admin').dms.find((one) => slack.read(one).includes('came back older'));
  await slack.person('admin').presses(told!, 'End the freeze');
  await slack.until(() => admin(sandbox).some((text) => text.includes('Everything can be changed again')));
  await slack.person('ana').types('#ops', '/instances restart web-1');
  await slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));

  await sandbox.stopBots();
  const before = admin(sandbox).length;
  await sandbox.startBot();
  await sandbox.said();
  expect(admin(sandbox)).toHaveLength(before);
});

it('a Redis that is as new as before, or is taken over, holds nothing back', async () => {
  const sandbox = await stoppedOverOlderRedis();
  await sandbox.startBot({ LAMPLIGHTER_TAKE_OVER: 'restored' });
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
  expect(admin(sandbox).filter((text) => text.includes('froze'))).toEqual([]);
});
