import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { quietly } from '../../sandbox/programs.ts';
import { findRedisServer, startRedis } from '../../sandbox/redis.ts';

/** A Redis of its own whose clock can be set while it runs. */
export interface SettableRedis {
  readonly url: string;
  /** Sets its clock to so many seconds ahead of this host's. */
  setAhead(seconds: number): void;
}

/** Where the library is that gives a program another clock; undefined where it is not installed. */
function findLibrary(): string | undefined {
  const folders = readdirSync('/usr/lib').filter((name) => name.includes('-linux-'));
  return folders.map((name) => `/usr/lib/${name}/faketime/libfaketime.so.1`).find((path) => existsSync(path));
}

/** The same, installed as Redis is where it is missing. Throws where that does not work. */
function library(): string {
  const found = findLibrary();
  if (found !== undefined) return found;
  const before = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  for (const words of [
    ['update', '-q'],
    ['install', '-y', '--no-install-recommends', 'libfaketime'],
  ]) {
    const [program = '', ...args] = [...before, 'apt-get', ...words];
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env: quietly() });
  }
  const installed = findLibrary();
  if (installed === undefined) throw new Error('Still no libfaketime after installing it');
  return installed;
}

/** What gives a program a clock of its own, by its environment; its timers go on by the host's clock, as those of a real one do. */
export interface HostClock {
  readonly env: Record<string, string>;
  /** Sets it to so many seconds ahead of this host's. */
  setAhead(seconds: number): void;
}

/** Makes such a clock, which is right until it is set. */
export function clockOfHost(): HostClock {
  const folder = mkdtempSync(join(tmpdir(), 'lamp-clock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'ahead');
  const setAhead = (seconds: number): void => writeFileSync(path, `${seconds < 0 ? '' : '+'}${seconds}`);
  setAhead(0);
  return {
    setAhead,
    env: {
      // The library asks for memory before it is ready; the allocator of many a Redis asks for the time then.
      LD_PRELOAD: `${library()}:libc.so.6`,
      FAKETIME_TIMESTAMP_FILE: path,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
  };
}

/** Starts a Redis with such a clock, so many seconds ahead at first, which is gone after the test. */
export async function startSettableRedis(ahead = 0): Promise<SettableRedis> {
  const { env, setAhead } = clockOfHost();
  setAhead(ahead);
  const folder = mkdtempSync(join(tmpdir(), 'lamp-redis-'));
  const server = join(folder, 'redis-server');
  const lines = Object.entries(env).map(([name, value]) => `export ${name}='${value}'`);
  writeFileSync(server, ['#!/bin/sh', ...lines, `exec ${findRedisServer()} "$@"`, ''].join('\n'));
  chmodSync(server, 0o755);
  const redis = await startRedis(server);
  onTestFinished(async () => {
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return { url: redis.url, setAhead };
}
