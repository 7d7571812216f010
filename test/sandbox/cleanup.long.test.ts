import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { inherited } from '../../sandbox/programs.ts';
import { allOr } from '../support/runs.ts';

/** Real processes, because what is tested is how a process ends. */
let folder: string;
let demo: ChildProcess | undefined;
let connection: Redis | undefined;
// One for all tests: what was compiled for the first demo is found in it by the next.
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'left-'));
});
afterEach(async () => {
  // Where the test failed there is something left.
  await connection?.call('SHUTDOWN', 'NOSAVE').catch(() => undefined);
  connection = undefined;
  if (demo?.exitCode === null && demo.signalCode === null) demo.kill('SIGKILL');
  for (const name of leftIn()) rmSync(join(folder, name), { recursive: true, force: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the demo has put in its folder for temporary files. */
function leftIn(): readonly string[] {
  return readdirSync(folder).filter((name) => name.startsWith('lamp-'));
}

const NODE = [process.execPath, '--import', 'tsx', 'sandbox/main.ts'];
const NPM = ['npm', 'run', '--silent', 'demo', '--'];

/** Starts the demo with temporary files in the folder of these tests. */
function start([program = '', ...args]: readonly string[], ...lines: readonly string[]): ChildProcess {
  demo = spawn(program, [...args, ...lines], {
    env: { ...inherited(), TMPDIR: folder },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return demo;
}

/** A connection to the demo's private Redis, once it answers: it ends when that server does, and only then. */
async function redisOf(): Promise<Redis> {
  for (;;) {
    const [own] = leftIn();
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

/** Resolves once the demo has left nothing. */
async function untilEmpty(): Promise<void> {
  while (leftIn().length > 0) await new Promise((done) => setTimeout(done, 50));
}

describe('nothing of the demo is left', () => {
  test.each(allOr(['SIGTERM', 'SIGINT'] as const, 'SIGTERM'))('after %s, while it starts', async (signal) => {
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
