import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type DelayedWay, type Delays, delayWayTo } from './delayed-way.ts';
import type { PrivateRedis } from './redis.ts';
import { endChild, freePort } from './redis-process.ts';
import { countInStep } from './sentinels.ts';

/** A Redis with replicas of our own, one of which takes over where the primary is lost. */
export interface RedisGroup extends PrivateRedis {
  /** Has the primary stand still for so long, and go on beside the one that took over meanwhile. */
  pause(forMs: number): Promise<void>;
  /** Ends all replicas, or starts them again. */
  endReplicas(): Promise<void>;
  startReplicas(): Promise<void>;
  /** Resolves once so many replicas are in step with the primary. */
  inStep(replicas: number): Promise<void>;
}

export const LOOK_EVERY_MS = 50;

export interface Node {
  readonly port: number;
  /** Where others reach it. */
  readonly shownPort: number;
  readonly folder: string;
  /** For Sentinel: the lower the sooner, 0 for never. */
  readonly priority: number;
  child: ChildProcess | undefined;
}

/** One Redis for each priority, with the way that leads to it; none of them runs yet. */
export async function createNodes(
  root: string,
  delays: Delays,
  priorities: readonly number[],
): Promise<{ readonly nodes: readonly Node[]; closeWays(): Promise<void> }> {
  const ways: DelayedWay[] = [];
  const create = async (name: string, priority: number): Promise<Node> => {
    const port = await freePort();
    const way = await delayWayTo(port, delays);
    ways.push(way);
    const folder = join(root, name);
    mkdirSync(folder);
    return { port, shownPort: way.port, folder, priority, child: undefined };
  };
  const nodes = await Promise.all(priorities.map((priority, nth) => create(`redis-${nth}`, priority)));
  return {
    nodes,
    closeWays: async () => {
      await Promise.all(ways.map((way) => way.stop()));
    },
  };
}

/** What a node is started with: what each has, and what is its own. */
export function settingsWith(
  { port, folder }: Node,
  own: Readonly<Record<string, string | number>>,
): string[] {
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
    ...own,
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

/** Which of the nodes is the primary by now. */
interface Look {
  primary(): Promise<Node>;
  inStep(replicas: number): Promise<void>;
}

/** `primaryAt`: gives the port at which others reach the one that is the primary by now. */
export function lookFor(nodes: readonly Node[], primaryAt: () => Promise<number>): Look {
  const primary = async (): Promise<Node> => {
    const shown = await primaryAt();
    const node = nodes.find((one) => one.shownPort === shown);
    if (!node) throw new Error('no Redis of this group is the primary');
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

/** What is done to a group. `nodes`: those that can be the primary. */
export function createBlowsTo(
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

async function end(node: Node): Promise<void> {
  const { child } = node;
  node.child = undefined;
  if (child) await endChild(child, 'SIGKILL');
}
