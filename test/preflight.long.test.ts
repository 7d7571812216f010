import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { answerTo, play, powerCalls, readAll, ready, runToEnd, urlOf } from './support/sandbox.ts';
import { startProcess } from './support/process.ts';
import { until } from './support/until.ts';

/** A sandbox whose Redis was given these settings before any bot starts. */
async function playWith(...commands: readonly (readonly [string, ...string[]])[]) {
  const sandbox = await play({ ownRedis: true, bot: false });
  const redis = new Redis(sandbox.redisUrl);
  for (const [command, ...args] of commands) await redis.call(command, ...args);
  redis.disconnect();
  return sandbox;
}

/** Listens on the loopback; gives the port. */
function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function logged(sandbox: Sandbox, words: string): Promise<void> {
  return until(() => sandbox.logs.some((line) => line.includes(words)));
}

/** What stands before Redis while it reads its data: everything is answered with LOADING, until `isLoaded`. */
async function startLoading(target: string): Promise<{ url: string; load(): void; stop(): Promise<void> }> {
  let isLoaded = false;
  const sockets = new Set<{ destroy(): unknown }>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (isLoaded) {
      const back = connect(target);
      sockets.add(back);
      back.on('error', () => undefined);
      socket.pipe(back).pipe(socket);
      return;
    }
    socket.on('data', (chunk) => {
      const commands = chunk.toString('latin1').match(/^\*\d+\r$/gm) ?? [];
      socket.write('-LOADING Redis is loading the dataset in memory\r\n'.repeat(commands.length));
    });
  });
  const port = await listen(server);
  return {
    url: `redis://127.0.0.1:${port}`,
    load: () => {
      isLoaded = true;
      for (const socket of sockets) socket.destroy();
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

describe('a Redis that is only down is waited for', () => {
  it('by a web part and a worker, which say so, live and are not ready, and then work', async () => {
    const sandbox = await play({ ownRedis: true, bot: false });
    await sandbox.redis!.kill();
    const started = ['web', 'worker'].map((role) => sandbox.startBot({ LAMPLIGHTER_ROLE: role }));
    await logged(sandbox, 'waiting for Redis: reaching Redis at REDIS_URL: connect');
    expect((await fetch(urlOf(sandbox, '/healthz'))).status).toBe(200);
    const readyz = await fetch(urlOf(sandbox, '/readyz'));
    expect(readyz.status).toBe(503);
    expect(await readyz.json()).toMatchObject({ checks: { start: 'starting', redis: 'no answer' } });
    await sandbox.redis!.restart();
    await Promise.all(started);
    await ready(sandbox);
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(readAll(sandbox)[0]).toContain('Restarted web-1');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('while it reads its data', async () => {
    const sandbox = await play({ ownRedis: true, bot: false });
    const loading = await startLoading(sandbox.redisUrl);
    try {
      const started = sandbox.startBot({ REDIS_URL: loading.url, LAMPLIGHTER_ALLOW: 'open-redis' });
      await logged(sandbox, 'waiting for Redis: Redis is still reading its data');
      loading.load();
      await started;
      await runToEnd(sandbox, 'ana', '/instances restart web-1');
      expect(readAll(sandbox)[0]).toContain('Restarted web-1');
    } finally {
      await sandbox.stopBots();
      await loading.stop();
    }
  });

  // Each try to speak TLS takes two seconds to be given up.
  it('over TLS at a port that speaks none, and the log says what to look at', async () => {
    const sandbox = await play({ ownRedis: true, bot: false });
    const plain = createTcpServer((socket) => {
      const back = connect(sandbox.redisUrl);
      for (const one of [socket, back]) one.on('error', () => undefined);
      socket.pipe(back).pipe(socket);
    });
    const port = await listen(plain);
    const started = sandbox.startBot({ REDIS_URL: `rediss://:password@127.0.0.1:${port}` });
    await logged(sandbox, 'Does that port speak TLS? Without it REDIS_URL begins with redis://');
    const stopped = sandbox.stopBots();
    await expect(started).rejects.toThrow('aborted');
    await stopped;
    await new Promise((done) => plain.close(done));
  });

  it('while its name is not known yet, and not for longer than the bot is wanted', async () => {
    const sandbox = await play({ ownRedis: true, bot: false });
    const started = sandbox.startBot({ REDIS_URL: 'redis://:password@not-there.invalid:6379' });
    await logged(sandbox, 'waiting for Redis: no host has the name in REDIS_URL: getaddrinfo');
    const stopped = sandbox.stopBots();
    await expect(started).rejects.toThrow('aborted');
    await stopped;
  });

  // What the process does at SIGTERM is main's own.
  it('by a process that ends with 0 when it is asked to while it waits', async () => {
    const sandbox = await play({ ownRedis: true, bot: false });
    await sandbox.redis!.kill();
    const bot = await startProcess(sandbox, { asShipped: true, until: 'waiting for Redis' });
    expect(await bot.end('SIGTERM')).toBe(0);
  });
});

describe('the bot does not start', () => {
  it.each([
    [
      'with a Redis that forgets',
      ['CONFIG', 'SET', 'appendonly', 'no'],
      'Redis forgets what people asked for when it is killed (appendonly no): set appendonly yes, or REDIS_DURABLE=service for a managed one that keeps its writes by itself, or allow it with LAMPLIGHTER_ALLOW=volatile-redis',
    ],
    [
      'with a Redis that evicts',
      ['CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru'],
      'maxmemory-policy allkeys-lru): set maxmemory-policy noeviction, at a managed service where its settings are (at ElastiCache in a parameter group), or allow it with LAMPLIGHTER_ALLOW=evicting-redis',
    ],
    [
      'without the password',
      ['CONFIG', 'SET', 'requirepass', 'swordfish'],
      'Redis wants a password: put it into REDIS_URL',
    ],
    ['without the right to write', ['ACL', 'SETUSER', 'default', '-set'], 'lacks a permission'],
    ['without the right to run scripts', ['ACL', 'SETUSER', 'default', '-eval'], 'lacks a permission'],
    ['without the right to call scripts', ['ACL', 'SETUSER', 'default', '-evalsha'], 'lacks a permission'],
    ['without the right to sorted sets', ['ACL', 'SETUSER', 'default', '-zadd'], 'lacks a permission'],
    ['over a replica', ['REPLICAOF', '127.0.0.1', '1'], 'replica'],
  ] as const)('%s', async (_name, command, sentence) => {
    const sandbox = await playWith(command);
    await expect(sandbox.startBot()).rejects.toThrow(sentence);
  });

  it('with a token that Slack refuses, or that is none of a bot', async () => {
    const sandbox = await play({ ownRedis: true, bot: false, isRefused: true });
    const { slack } = sandbox;
    slack.revokeToken(slack.botToken);
    await expect(sandbox.startBot()).rejects.toThrow('Slack refuses SLACK_BOT_TOKEN: token_revoked');
    await expect(sandbox.startBot({ SLACK_BOT_TOKEN: slack.appToken })).rejects.toThrow(
      'Slack refuses SLACK_BOT_TOKEN: not_allowed_token_type',
    );
  });

  it('with a token of a whole organization, and says what to do', async () => {
    const sandbox = await play({ ownRedis: true, bot: false, slack: { inOrganization: 'org-wide token' } });
    await expect(sandbox.startBot()).rejects.toThrow(
      'SLACK_BOT_TOKEN is of an installation for a whole organization, and Lamplighter works in one workspace: install the app in that workspace',
    );
  });

  it('with a wrong password, or where something else than Redis answers', async () => {
    const sandbox = await playWith(['CONFIG', 'SET', 'requirepass', 'swordfish']);
    const web = createServer((_request, response) => response.end('hello'));
    const front = createTcpServer((socket) => {
      const back = connect(sandbox.redisUrl);
      for (const one of [socket, back]) one.on('error', () => undefined);
      socket.pipe(back).pipe(socket);
    });
    const [other, redis] = [await listen(web), await listen(front)];
    try {
      const start = (url: string): Promise<unknown> =>
        sandbox.startBot({ REDIS_URL: url, LAMPLIGHTER_ALLOW: 'open-redis' });
      await expect(start(`redis://:wrong@127.0.0.1:${redis}`)).rejects.toThrow(
        'Redis refuses the password in REDIS_URL',
      );
      await expect(start(`redis://127.0.0.1:${other}`)).rejects.toThrow(
        'what answers at REDIS_URL is not a Redis',
      );
    } finally {
      await sandbox.stopBots();
      web.closeAllConnections();
      await Promise.all([web, front].map((server) => new Promise((done) => server.close(done))));
    }
  });

  it.each([
    [401, 'refused the key in HOSTING_API_TOKEN'],
    [403, 'does not allow listing instances with the key in HOSTING_API_TOKEN'],
  ])('with a key that the hosting service refuses with %i', async (status, words) => {
    const sandbox = await play({ ownRedis: true, bot: false });
    sandbox.hosting.failNext({}, status, 10);
    await expect(sandbox.startBot()).rejects.toThrow(
      `the hosting service ${words} (${status}), and says: "Something went wrong"`,
    );
  });

  it('and the process shipped says it on its last line, without the key', async () => {
    const sandbox = await play({ ownRedis: true, bot: false });
    const started = startProcess(sandbox, {
      asShipped: true,
      env: { HOSTING_API_TOKEN: 'oc_live_wrong_4444444444' },
    });
    await expect(started).rejects.toThrow(
      /ended with 1: .*lamplighter: the hosting service refused the key/s,
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

  it('with a Redis that may not be asked about itself, names what it could not check, and works', async () => {
    const sandbox = await playWith(['ACL', 'SETUSER', 'default', '-config', '-info']);
    await sandbox.startBot();
    const words = 'so it is not checked: its version, appendonly, appendfsync, maxmemory-policy.';
    expect(sandbox.logs.join('')).toContain(words);
    expect(await answerTo(sandbox, 'admin', '/lamplighter doctor')).toMatch(
      /✅ Redis takes all that I write\.\n(?:.*\n)*.*➖ Redis doesn't say, so it is not checked: its version/,
    );
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(readAll(sandbox)[0]).toContain('Restarted web-1');
  });

  it('with a Redis without a file for which its operator vouches, and says so', async () => {
    const sandbox = await playWith(['CONFIG', 'SET', 'appendonly', 'no']);
    await sandbox.startBot({ REDIS_DURABLE: 'service' });
    const words = 'you vouch for it (REDIS_DURABLE=service)';
    expect(sandbox.logs.join('')).toContain(words);
    expect(await answerTo(sandbox, 'admin', '/lamplighter doctor')).toContain(words);
  });

  it('and says so where Redis writes only every second', async () => {
    const sandbox = await playWith(['CONFIG', 'SET', 'appendfsync', 'everysec']);
    await sandbox.startBot();
    expect(sandbox.logs.join('')).toContain('set appendfsync always');
  });

  it('while Slack is down, and is ready once Slack has answered', async () => {
    const sandbox = await play({ ownRedis: true, bot: false });
    for (const method of ['auth.test', 'chat.scheduledMessages.list'])
      for (let times = 0; times < 2; times++) sandbox.slack.failNext(method, { status: 503 });
    await sandbox.startBot();
    const answer = await fetch(urlOf(sandbox, '/readyz'));
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ checks: { slack: 'no answer' } });
    // It is asked again.
    await sandbox.slack.until(
      () => sandbox.slack.calls.filter(({ method }) => method === 'auth.test').length > 1,
    );
    await answerTo(sandbox, 'ana', '/instances');
    await ready(sandbox);
  });

  it('while Slack or the hosting service are only down', async () => {
    const sandbox = await play({ ownRedis: true, bot: false });
    sandbox.slack.failNext('auth.test', { status: 503 });
    sandbox.hosting.failNext({}, 503, 3);
    await sandbox.startBot();
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(readAll(sandbox)[0]).toContain('Restarted web-1');
  });
});
