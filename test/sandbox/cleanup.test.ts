import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** Real processes, because what is tested is how a process ends. */
let folder: string;
let demo: ChildProcess | undefined;
let connection: Redis | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'left-'));
});
afterEach(async () => {
  // Where the test failed there is something left.
  await connection?.call('SHUTDOWN', 'NOSAVE').catch(() => undefined);
  connection = undefined;
  if (demo?.exitCode === null && demo.signalCode === null) demo.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const NODE = [process.execPath, '--import', 'tsx', 'sandbox/main.ts'];
const NPM = ['npm', 'run', '--silent', 'demo', '--'];

/** Starts the demo with temporary files in a folder of this test. */
function start([program = '', ...args]: readonly string[], ...lines: readonly string[]): ChildProcess {
  demo = spawn(program, [...args, ...lines], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: folder },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return demo;
}

/** A connection to the demo's private Redis, once it answers: it ends when that server does, and only then. */
async function redisOf(): Promise<Redis> {
  for (;;) {
    const own = readdirSync(folder).find((name) => name.startsWith('lamp-'));
    const redis = new Redis(join(folder, own ?? '', 'redis.sock'), {
      lazyConnect: true,
      retryStrategy: () => null,
    });
    redis.on('error', () => undefined);
    const isThere = own !== undefined && (await redis.ping().then(Boolean, () => false));
    if (isThere) return (connection = redis);
    redis.disconnect();
    await new Promise((done) => setTimeout(done, 50));
  }
}

function ended(redis: Redis): Promise<void> {
  return new Promise((done) => {
    redis.once('end', () => done());
  });
}

function exited(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  return new Promise((done) => {
    child.once('exit', (code, signal) => done(code ?? signal));
  });
}

/** Resolves once the demo has printed what contains `words`. */
function prints(child: ChildProcess, words: string): Promise<void> {
  let output = '';
  return new Promise((done) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(words)) done();
    });
  });
}

/** What stands in the test's folder once nobody removes anything any more. */
async function untilEmpty(): Promise<void> {
  while (readdirSync(folder).some((name) => name.startsWith('lamp-')))
    await new Promise((done) => setTimeout(done, 50));
}

describe('nothing of the demo is left', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('after %s, while it starts', async (signal) => {
    const child = start(NODE);
    const redis = await redisOf();
    const gone = [ended(redis), exited(child)] as const;
    child.kill(signal);
    expect((await Promise.all(gone))[1]).toBe(signal);
    await untilEmpty();
  });

  test('when its terminal is closed in the middle of an operation', async () => {
    const child = start(NODE);
    const [redis] = await Promise.all([redisOf(), prints(child, 'ana in #ops>')]);
    const gone = [ended(redis), exited(child)] as const;
    child.stdin?.write('/instances restart web-1\n');
    await prints(child, 'Restarting web-1');
    child.kill('SIGHUP');
    expect((await Promise.all(gone))[1]).toBe('SIGHUP');
    await untilEmpty();
  });

  test('when npm is killed while lines are played', async () => {
    const child = start(NPM, '/instances start never-starts');
    const redis = await redisOf();
    const gone = ended(redis);
    child.kill('SIGKILL');
    await gone;
    await untilEmpty();
  });

  test('when there is nobody to type any more, and that is no fault', async () => {
    const child = start(NODE);
    const gone = [ended(await redisOf()), exited(child)] as const;
    child.stdin?.end('/instances\n');
    expect((await Promise.all(gone))[1]).toBe(0);
    await untilEmpty();
  });
});
