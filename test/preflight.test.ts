import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { play, readAll } from './support/sandbox.ts';
import { startProcess } from './support/process.ts';

/** A sandbox whose Redis was told these things before any bot starts. */
async function playWith(...commands: readonly (readonly [string, ...string[]])[]) {
  const sandbox = await play({ bot: false });
  const redis = new Redis(sandbox.redisUrl);
  for (const [command, ...args] of commands) await redis.call(command, ...args);
  redis.disconnect();
  return sandbox;
}

describe('the bot does not start', () => {
  it.each([
    [
      'with a Redis that forgets',
      ['CONFIG', 'SET', 'appendonly', 'no'],
      'Redis forgets what people asked for when it is killed (appendonly no): set appendonly yes, or allow it with LAMPLIGHTER_ALLOW=volatile-redis',
    ],
    [
      'with a Redis that evicts',
      ['CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru'],
      'maxmemory-policy allkeys-lru): set maxmemory-policy noeviction, or allow it with LAMPLIGHTER_ALLOW=evicting-redis',
    ],
    [
      'without the password',
      ['CONFIG', 'SET', 'requirepass', 'swordfish'],
      'Redis wants a password: put it into REDIS_URL',
    ],
    [
      'without the right to ask Redis about itself, which would freeze the queue',
      ['ACL', 'SETUSER', 'default', '-info'],
      "the user in REDIS_URL lacks a permission that the queue can't do without",
    ],
    ['without the right to write', ['ACL', 'SETUSER', 'default', '-set'], 'lacks a permission'],
    ['without the right to run scripts', ['ACL', 'SETUSER', 'default', '-eval'], 'lacks a permission'],
    ['over a replica', ['REPLICAOF', '127.0.0.1', '1'], 'replica'],
  ] as const)('%s', async (_name, command, sentence) => {
    const sandbox = await playWith(command);
    await expect(sandbox.startBot()).rejects.toThrow(sentence);
  });

  it('where no Redis is, and the process says so in one sentence and ends with 1', async () => {
    const sandbox = await play({ bot: false });
    await sandbox.redis!.kill();
    await expect(startProcess(sandbox, { asShipped: true })).rejects.toThrow(
      /ended with 1: .*lamplighter: reaching Redis at REDIS_URL: .*ENOENT|ECONNREFUSED/s,
    );
  });

  it('with a token that Slack refuses', async () => {
    const sandbox = await play({ bot: false });
    sandbox.slack.revokeToken(sandbox.slack.botToken);
    await expect(sandbox.startBot()).rejects.toThrow('Slack refuses SLACK_BOT_TOKEN: token_revoked');
  });

  it.each([401, 403])('with a key that the hosting service refuses with %i', async (status) => {
    const sandbox = await play({ bot: false });
    sandbox.hosting.failNext({}, status, 10);
    await expect(sandbox.startBot()).rejects.toThrow(
      'the hosting service refuses the key in HOSTING_API_TOKEN',
    );
  });

  it('and the process shipped says it on its last line, without the key', async () => {
    const sandbox = await play({ bot: false });
    const started = startProcess(sandbox, {
      asShipped: true,
      env: { HOSTING_API_TOKEN: 'oc_live_wrong_4444444444' },
    });
    await expect(started).rejects.toThrow(
      /ended with 1: .*lamplighter: the hosting service refuses the key/s,
    );
    await expect(started).rejects.not.toThrow('oc_live_wrong_4444444444');
  });
});

describe('the bot starts all the same', () => {
  it('where a risk is allowed by its name, and says it', async () => {
    const sandbox = await playWith(['CONFIG', 'SET', 'appendonly', 'no']);
    await sandbox.startBot({ LAMPLIGHTER_ALLOW: 'volatile-redis, evicting-redis' });
    expect(sandbox.logs.join('')).toContain('Redis forgets what people asked for');
  });

  it('with a Redis that may not be asked for its configuration', async () => {
    const sandbox = await playWith(['ACL', 'SETUSER', 'default', '-config']);
    await sandbox.startBot();
  });

  it('and says so where Redis writes only every second', async () => {
    const sandbox = await playWith(['CONFIG', 'SET', 'appendfsync', 'everysec']);
    await sandbox.startBot();
    expect(sandbox.logs.join('')).toContain('set appendfsync always');
  });

  it('while Slack or the hosting service are only down', async () => {
    const sandbox = await play({ bot: false });
    sandbox.slack.failNext('auth.test', { status: 503 });
    sandbox.hosting.failNext({}, 503, 3);
    await sandbox.startBot();
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('Restarted web-1');
  });
});
