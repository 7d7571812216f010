import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killAtExit, removeAtExit } from './cleanup.ts';
import { onPath, quietly, runs } from './programs.ts';

/** A Redis of our own: started here, on a socket, and gone with us. */
export interface PrivateRedis {
  readonly url: string;
  readonly pid: number | undefined;
  stop(): Promise<void>;
  /** Ends it as a power cut would, and starts it again on the same data. */
  kill(): Promise<void>;
  restart(): Promise<void>;
}

/** There is no Redis, and none can be installed without asking. Its message is the one line to type. */
export class NoRedisError extends Error {}

const NAMES = ['redis-server', 'valkey-server'];
const MANAGERS: readonly (readonly [command: string, install: readonly string[]])[] = [
  ['apt-get', ['apt-get', 'install', '-y', '--no-install-recommends', 'redis-server']],
  ['dnf', ['dnf', 'install', '-y', 'redis']],
  ['apk', ['apk', 'add', 'redis']],
  ['brew', ['brew', 'install', 'redis']],
];

/**
 * The path of a Redis or Valkey server, installed with the system's package manager where that needs no question. Throws
 * `NoRedisError` where it can't be installed, also because another process is at it: a package manager lets only one in.
 */
export function findRedisServer(
  say: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): string {
  const found = NAMES.map(onPath).find((path) => path !== undefined);
  if (found !== undefined) return found;
  const manager = MANAGERS.find(([command]) => onPath(command) !== undefined);
  if (!manager) throw new NoRedisError('No redis-server found: install Redis or Valkey, or set REDIS_URL.');
  const [command, install] = manager;
  const before = command === 'brew' || process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const line = [...(before.length > 0 ? ['sudo'] : []), ...install].join(' ');
  if (before.length > 0 && !runs('sudo', ['-n', 'true'])) {
    throw new NoRedisError(`No redis-server found. Install it with:  ${line}`);
  }
  const run = (words: readonly string[]): void => {
    const [program = '', ...args] = [...before, ...words];
    say(`No redis-server found, so: ${[program, ...args].join(' ')}`);
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env: quietly() });
  };
  try {
    if (command === 'apt-get') run(['apt-get', 'update', '-q']);
    run(install);
  } catch {
    throw new NoRedisError(`Installing Redis did not work. Try it yourself with:  ${line}`);
  }
  const installed = NAMES.map(onPath).find((path) => path !== undefined);
  if (installed === undefined) throw new NoRedisError(`Still no redis-server found after:  ${line}`);
  return installed;
}

/** Starts a private Redis with an append-only file, on a socket in a folder of its own, which is made within `root`. */
export async function startRedis(server = findRedisServer(), root = tmpdir()): Promise<PrivateRedis> {
  // A socket's path has at most 107 bytes, so the folder's name is short.
  const folder = mkdtempSync(join(root, 'lamp-'));
  const removeFolder = removeAtExit(folder);
  const url = join(folder, 'redis.sock');
  let child = await launch(server, folder, url);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await gone;
  };
  return {
    url,
    get pid() {
      return child.pid;
    },
    stop: async () => {
      await end('SIGTERM');
      removeFolder();
    },
    kill: () => end('SIGKILL'),
    restart: async () => {
      child = await launch(server, folder, url);
    },
  };
}

function launch(server: string, folder: string, socket: string): Promise<ChildProcess> {
  const settings = [
    '--port',
    '0',
    '--unixsocket',
    socket,
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'yes',
    // A file of many writes to the same keys is soon read again in no time when Redis is killed.
    '--auto-aof-rewrite-min-size',
    '1mb',
    // With everysec a write that was answered can still be lost when Redis is killed: it waits for a running fsync.
    '--appendfsync',
    'always',
  ];
  const child = spawn(server, [...settings, '--maxmemory-policy', 'noeviction'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  killAtExit(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code} before it was ready`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('Ready to accept connections') || chunk.includes('ready to accept connections'))
        resolve(child);
    });
  });
}
