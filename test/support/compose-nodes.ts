import { type ChildProcess, execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { inherited } from '../../sandbox/programs.ts';
import { findRedisServer } from '../../sandbox/redis.ts';
import { endChild, launch } from '../../sandbox/redis-process.ts';

const fileSchema = z.object({
  services: z.record(
    z.string(),
    z.object({ command: z.array(z.string()).optional(), volumes: z.array(z.string()).default([]) }),
  ),
});

/** One Redis or Sentinel of the compose files, as a process of this machine. */
export interface ComposeNode {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  start(): Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Where the addresses of compose.sentinel.yaml begin. */
const NET = /^172\.28\.83(?=\.)/;

/** What both compose files say of a service together: the command of the second, the volumes of both. */
function composed(name: string): { command: string[]; volumes: string[] } {
  const both = ['compose.yaml', 'compose.sentinel.yaml'].map(
    (path) => fileSchema.parse(parse(readFileSync(path, 'utf8'), { merge: true })).services[name],
  );
  return {
    command: both.findLast((one) => one?.command)?.command ?? [],
    volumes: both.flatMap((one) => one?.volumes ?? []),
  };
}

/**
 * Each Redis and Sentinel of compose.sentinel.yaml, started with the very words that stand there. Only addresses become such of
 * this machine, and folders those of a node: a volume is kept when it starts again, all else is gone.
 */
export function createComposeNodes(): { readonly redis: ComposeNode[]; readonly sentinels: ComposeNode[] } {
  const root = mkdtempSync(join(tmpdir(), 'lamp-compose-'));
  const names = ['redis', 'redis-2', 'redis-3', 'sentinel-1', 'sentinel-2', 'sentinel-3'];
  const net = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  const hostOf = (address: string): string => address.replace(NET, net);
  const nodes = names.map((name) => createNode(name, hostOf, root));
  onTestFinished(async () => {
    for (const node of nodes) await node.end('SIGKILL');
    // A child of a Redis that was killed may still write in it.
    rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  return { redis: nodes.slice(0, 3), sentinels: nodes.slice(3) };
}

function createNode(name: string, hostOf: (address: string) => string, root: string): ComposeNode {
  const { command, volumes } = composed(name);
  const host = hostOf(command[4] ?? '');
  const folderOf = (path: string): string => join(root, name, path);
  const kept = volumes.flatMap((volume) => /^[\w-]+:(\/\w+)$/.exec(volume)?.[1] ?? []);
  for (const path of kept) mkdirSync(folderOf(path), { recursive: true });
  const programs = join(root, name, 'bin');
  writePrograms(programs, host);
  const words = command.map((word) =>
    hostOf(word)
      .replaceAll('$$', '$')
      .replaceAll(/\/(?:data|tmp)\b/g, folderOf),
  );
  let child: ChildProcess | undefined;
  return {
    name,
    host,
    port: name.startsWith('redis') ? 6_379 : 26_379,
    start: async () => {
      for (const path of ['/data', '/tmp'].filter((one) => !kept.includes(one))) {
        rmSync(folderOf(path), { recursive: true, force: true });
        mkdirSync(folderOf(path));
      }
      // The image's working folder is /data.
      const path = `PATH=${programs}:${inherited()['PATH'] ?? ''}`;
      child = await launch('env', ['-C', folderOf('/data'), path, ...words]);
    },
    end: async (signal) => {
      if (child) await endChild(child, signal);
    },
  };
}

/** The programs of the image, which listen at one address alone: there are six on this machine. */
function writePrograms(folder: string, host: string): void {
  mkdirSync(join(folder, 'real'), { recursive: true });
  for (const name of ['redis-server', 'redis-sentinel']) {
    // Which of the two it is, it sees by its name.
    symlinkSync(findRedisServer(), join(folder, 'real', name));
    const run = join(folder, name);
    // Without protected mode, as in the image.
    const own = `--bind ${host} --bind-source-addr ${host} --protected-mode no`;
    writeFileSync(run, `#!/bin/sh\nexec '${join(folder, 'real', name)}' "$@" ${own}\n`);
    chmodSync(run, 0o755);
  }
  execFileSync('redis-cli', ['--version']);
}

/** Asks a node over a connection of its own. Undefined where it gives no answer. */
export async function asked<T>(
  { host, port }: Pick<ComposeNode, 'host' | 'port'>,
  question: (redis: Redis) => Promise<T>,
): Promise<T | undefined> {
  const redis = new Redis({ host, port, retryStrategy: () => null, commandTimeout: 2_000 });
  redis.on('error', () => undefined);
  try {
    return await question(redis);
  } catch {
    return undefined;
  } finally {
    redis.disconnect();
  }
}
