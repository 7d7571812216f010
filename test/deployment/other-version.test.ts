import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { createStateOwner, deploymentKeys } from '../../src/core/deployment/owner.ts';
import { FORMAT, formatOf } from '../../src/platform/redis/stored.ts';
import { answeredWith, answerTo, play, powerCalls, privateMessage, readAll } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

function redisOf(sandbox: Sandbox): Redis {
  const redis = new Redis(sandbox.redisUrl);
  onTestFinished(() => redis.disconnect());
  return redis;
}

/** A text as a version would have written it that has another format. */
function inFormat(format: number | undefined, text: string): string {
  return JSON.stringify({ ...(JSON.parse(text) as object), format, somethingNew: true });
}

describe('what a newer version of the bot wrote in another format', () => {
  it('is left to that version: who presses it reads that, and nothing is done', async () => {
    const sandbox = await play();
    const redis = redisOf(sandbox);
    const answer = await answeredWith(sandbox, 'admin', '/instances show web-1');
    const offers = await redis.keys('*:offer:button:*');
    for (const offer of offers)
      await redis.hset(offer, 'what', inFormat(FORMAT + 1, (await redis.hget(offer, 'what')) ?? ''));
    await sandbox.slack.person('admin').presses(answer, 'Restart');
    expect(sandbox.slack.read(await privateMessage(sandbox, 'admin', "I'm being upgraded"))).toContain(
      "and I can't read it. Try again in a minute.",
    );
    expect(powerCalls(sandbox)).toBe(0);
    expect(offers.length).toBeGreaterThan(0);
  });

  it('stays as it is while an operation is under way, and is said in the log once', async () => {
    const sandbox = await play();
    const redis = redisOf(sandbox);
    const held = sandbox.hosting.hold({ method: 'POST' }, 'after');
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await held.arrived;
    const key = (await redis.keys('*:operation:*')).find((one) => /operation:[\w-]+$/.test(one)) ?? '';
    const text = inFormat(FORMAT + 1, (await redis.hget(key, 'record')) ?? '');
    await redis.hset(key, { version: '99.newer', record: text });
    held.release();
    await until(() => sandbox.logs.join('').includes('to a process'));
    await sandbox.slack.person('ana').types('#ops', '/instances show web-2');
    await privateMessage(sandbox, 'ana', 'web-2');
    expect(await redis.hget(key, 'record')).toBe(text);
    expect(readAll(sandbox).join()).not.toContain('Restarted');
    await redis.del(key);
  });

  it('has fields that this version does not know, and they change nothing', async () => {
    const sandbox = await play();
    const redis = redisOf(sandbox);
    const answer = await answeredWith(sandbox, 'admin', '/instances show web-1');
    for (const offer of await redis.keys('*:offer:button:*'))
      await redis.hset(offer, 'what', inFormat(FORMAT, (await redis.hget(offer, 'what')) ?? ''));
    await sandbox.slack.person('admin').presses(answer, 'Restart');
    await sandbox.slack.until(() => readAll(sandbox).some((one) => one.includes('Restarted web-1')));
  });
});

describe('a bot on a Redis of another version', () => {
  it.each([
    ['newer', FORMAT + 1, 'was written by a newer version of the bot', 'Start that version or a later one'],
    [
      'older than 1.0',
      undefined,
      'was written before version 1.0',
      'Give this one its own with REDIS_PREFIX',
    ],
  ])('that is %s does not start, and says what to do; the doctor does too', async (_, format, what, todo) => {
    const sandbox = await play({ isRefused: true });
    const redis = redisOf(sandbox);
    const mark = inFormat(format, (await redis.get(deploymentKeys.owner)) ?? '');
    await redis.set(deploymentKeys.owner, mark);
    const refused = await sandbox.startBot().catch((error: unknown) => String(error));
    expect(refused).toContain(what);
    expect(refused).toContain(todo);
    expect(await answerTo(sandbox, 'admin', '/lamplighter doctor')).toContain(what);
    expect(await redis.get(deploymentKeys.owner)).toBe(mark);
  });
});

it('a newer version marks what it takes over with its format, and the older one does not start there again', async () => {
  const sandbox = await play();
  const redis = redisOf(sandbox);
  const marked = await redis.get(deploymentKeys.owner);
  const of = (format: number): ReturnType<typeof createStateOwner> =>
    createStateOwner({ redis, owner: () => ({}), takeOver: undefined, format });
  await of(FORMAT + 1).check();
  expect(formatOf((await redis.get(deploymentKeys.owner)) ?? '')).toBe(FORMAT + 1);
  await expect(of(FORMAT).check()).rejects.toThrow('was written by a newer version of the bot');
  await redis.set(deploymentKeys.owner, marked ?? '');
});
