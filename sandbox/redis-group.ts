import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { removeAtExit } from './cleanup.ts';
import { type DelayedReplication, delayReplication } from './delayed-replication.ts';
import { findRedisServer, type PrivateRedis } from './redis.ts';
import { endChild, freePort, launch } from './redis-process.ts';
import { countInStep, known, NAME, primaryPort, startSentinels } from './sentinels.ts';

/** A primary, its replicas and three Sentinels of our own, on ports of this machine. */
export interface RedisGroup extends PrivateRedis {
  /** Has the primary stand still for so long, and go on beside the one that took over meanwhile. */
  pause(forMs: number): Promise<void>;
  /** Ends all replicas, or starts them again. */
  endReplicas(): Promise<void>;
  startReplicas(): Promise<void>;
  /** Resolves once so many replicas are in step with the primary. */
  inStep(replicas: number): Promise<void>;
}

export interface RedisGroupOptions {
  /** How much later replicas get what is written, ms. */
  readonly delayMs?: number;
  /** Of each replica, for Sentinel; default all the same. */
  readonly priorities?: readonly number[];
}

const LOOK_EVERY_MS = 50;

interface Node {
  readonly port: number;
  /** Where others reach it. */
  readonly shownPort: number;
  readonly folder: string;
  readonly priority: number;
  child: ChildProcess | undefined;
}

export async function startRedisGroup(options: RedisGroupOptions = {}): Promise<RedisGroup> {
  const server = findRedisServer();
  const root = mkdtempSync(join(tmpdir(), 'lamp-'));
  const removeRoot = removeAtExit(root);
  const { nodes, first, closeWays } = await createNodes(root, options);
  const start = async (node: Node, primary: Node | undefined): Promise<void> => {
    node.child = await launch(server, settingsOf(node, primary));
  };
  await start(first, undefined);
  const replicas = nodes.filter((node) => node !== first);
  for (const node of replicas) await start(node, first);
  const sentinels = await startSentinels(server, root, first.shownPort);
  const asked = sentinels.map(({ port }) => port);
  const look = lookFor(nodes, asked);
  await look.inStep(replicas.length);
  await known(asked, replicas.length);
  return {
    url: `redis+sentinel://${asked.map((port) => `127.0.0.1:${port}`).join(',')}/${NAME}`,
    pid: undefined,
    ...createBlowsTo(nodes, look, start),
    inStep: look.inStep,
    stop: async () => {
      const children = [...sentinels.map(({ child }) => child), ...nodes.flatMap(({ child }) => child ?? [])];
      // One that stands still ends, too.
      for (const child of children) await endChild(child, 'SIGKILL');
      await closeWays();
      removeRoot();
    },
  };
}

/** The Redis of a group, each with the way that leads to it; none of them runs yet. */
async function createNodes(
  root: string,
  { delayMs = 5, priorities = [100, 100] }: RedisGroupOptions,
): Promise<{ readonly nodes: readonly Node[]; readonly first: Node; closeWays(): Promise<void> }> {
  const ways: DelayedReplication[] = [];
  const create = async (name: string, priority: number): Promise<Node> => {
    const port = await freePort();
    const way = await delayReplication(port, delayMs);
    ways.push(way);
    const folder = join(root, name);
    mkdirSync(folder);
    return { port, shownPort: way.port, folder, priority, child: undefined };
  };
  const first = await create('first', 100);
  const others = await Promise.all(priorities.map((priority, nth) => create(`replica-${nth}`, priority)));
  return {
    nodes: [first, ...others],
    first,
    closeWays: async () => {
      await Promise.all(ways.map((way) => way.stop()));
    },
  };
}

/** Which of the nodes is the primary, as Sentinel says. */
interface Look {
  primary(): Promise<Node>;
  inStep(replicas: number): Promise<void>;
}

function lookFor(nodes: readonly Node[], sentinels: readonly number[]): Look {
  const primary = async (): Promise<Node> => {
    const shown = await primaryPort(sentinels);
    const node = nodes.find((one) => one.shownPort === shown);
    if (!node) throw new Error('Sentinel names no Redis of this group');
    return node;
  };
  return {
    primary,
    inStep: async (replicas) => {
      for (;;) {
        const node = await primary();
        if (node.child && (await countInStep(node.port)) >= replicas) return;
        await wait(LOOK_EVERY_MS);
      }
    },
  };
}

function createBlowsTo(
  nodes: readonly Node[],
  { primary, inStep }: Look,
  start: (node: Node, primary: Node) => Promise<void>,
): Pick<RedisGroup, 'kill' | 'restart' | 'pause' | 'endReplicas' | 'startReplicas'> {
  let dead: Node | undefined;
  return {
    kill: async () => {
      dead = await primary();
      await end(dead);
    },
    restart: async () => {
      const was = dead;
      if (!was) return;
      let now = await primary();
      while (now === was) {
        await wait(LOOK_EVERY_MS);
        now = await primary();
      }
      // As its supervisor would, which finds in its configuration whom it follows.
      await start(was, now);
      dead = undefined;
      await inStep(1);
    },
    pause: async (forMs) => {
      const { child } = await primary();
      child?.kill('SIGSTOP');
      await wait(forMs);
      child?.kill('SIGCONT');
    },
    endReplicas: async () => {
      const now = await primary();
      await Promise.all(nodes.filter((node) => node !== now).map(end));
    },
    startReplicas: async () => {
      const now = await primary();
      for (const node of nodes) if (node !== now && !node.child) await start(node, now);
    },
  };
}

function settingsOf({ port, shownPort, folder, priority }: Node, primary: Node | undefined): string[] {
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'yes',
    appendfsync: 'always',
    'auto-aof-rewrite-min-size': '1mb',
    'maxmemory-policy': 'noeviction',
    'repl-diskless-sync-delay': 0,
    'replica-priority': priority,
    'replica-announce-ip': '127.0.0.1',
    'replica-announce-port': shownPort,
    ...(primary ? { replicaof: `127.0.0.1 ${primary.shownPort}` } : {}),
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

async function end(node: Node): Promise<void> {
  const { child } = node;
  node.child = undefined;
  if (child) await endChild(child, 'SIGKILL');
}
