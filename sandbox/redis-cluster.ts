import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { key } from '../src/platform/redis/key.ts';
import { removeAtExit } from './cleanup.ts';
import {
  createBlowsTo,
  createNodes,
  LOOK_EVERY_MS,
  lookFor,
  type Node,
  type RedisGroup,
  settingsWith,
} from './redis-nodes.ts';
import { findRedisServer } from './redis.ts';
import { endChild, freePort, launch } from './redis-process.ts';
import { ask } from './sentinels.ts';

const MASTERS = 3;
const SLOTS = 16_384;
const NODE_TIMEOUT_MS = 1_500;

interface ClusterNode extends Node {
  readonly busPort: number;
}

/** Three masters, each with so many replicas, of our own on ports of this machine. What is killed is the one that has the keys of the bot. */
export async function startRedisCluster({
  replicas = 0,
  user,
}: {
  readonly replicas?: number;
  /** One more user of each node, as words of `ACL SETUSER`. */
  readonly user?: readonly string[] | undefined;
} = {}): Promise<RedisGroup> {
  const server = findRedisServer();
  const root = mkdtempSync(join(tmpdir(), 'lamp-'));
  const removeRoot = removeAtExit(root);
  const count = MASTERS * (1 + replicas);
  const made = await createNodes(
    root,
    { replicasMs: 5, clientsMs: 0 },
    Array.from({ length: count }, () => 100),
  );
  const nodes: readonly ClusterNode[] = await Promise.all(
    made.nodes.map(async (node) => Object.assign(node, { busPort: await freePort() })),
  );
  const start = async (node: Node): Promise<void> => {
    const known = nodes.find((one) => one === node);
    if (known) node.child = await launch(server, settingsOf(known));
    if (user) await ask(node.port, (redis) => redis.call('ACL', 'SETUSER', ...user));
  };
  for (const node of nodes) await start(node);
  await joinThem(nodes);
  const look = lookFor(nodes, () => ownerPort(nodes));
  if (replicas > 0) await look.inStep(replicas);
  return {
    url: `redis+cluster://${nodes.map(({ shownPort }) => `127.0.0.1:${shownPort}`).join(',')}`,
    pid: undefined,
    ...createBlowsTo(nodes, look, start),
    inStep: look.inStep,
    stop: async () => {
      for (const { child } of nodes) if (child) await endChild(child, 'SIGKILL');
      await made.closeWays();
      removeRoot();
    },
  };
}

function settingsOf(node: ClusterNode): string[] {
  const { shownPort, busPort } = node;
  return settingsWith(node, {
    'cluster-enabled': 'yes',
    'cluster-port': busPort,
    'cluster-node-timeout': NODE_TIMEOUT_MS,
    'cluster-announce-ip': '127.0.0.1',
    'cluster-announce-port': shownPort,
    'cluster-announce-bus-port': busPort,
    // The other masters go on where one is away.
    'cluster-require-full-coverage': 'no',
  });
}

/** Makes one cluster of them: the first three have the slots, and the others are their replicas in turn. */
async function joinThem(nodes: readonly ClusterNode[]): Promise<void> {
  const [first] = nodes;
  if (!first) throw new Error('no node');
  const masters = nodes.slice(0, MASTERS);
  const each = Math.ceil(SLOTS / MASTERS);
  for (const [nth, { port }] of masters.entries())
    await ask(port, (redis) =>
      redis.call('CLUSTER', 'ADDSLOTSRANGE', nth * each, Math.min(SLOTS, (nth + 1) * each) - 1),
    );
  for (const [nth, { port }] of nodes.entries()) {
    await ask(port, (redis) => redis.call('CLUSTER', 'SET-CONFIG-EPOCH', nth + 1));
    if (nth > 0)
      await ask(port, (redis) => redis.call('CLUSTER', 'MEET', '127.0.0.1', first.port, first.busPort));
  }
  await every(nodes, async ({ port }) => (await knownTo(port)) === nodes.length);
  for (const [nth, { port }] of nodes.entries()) {
    const master = masters[nth % MASTERS];
    if (nth < MASTERS || !master) continue;
    const id = await ask(master.port, (redis) => redis.call('CLUSTER', 'MYID'));
    await until(
      async () => (await ask(port, (redis) => redis.call('CLUSTER', 'REPLICATE', String(id)))) === 'OK',
    );
  }
  await every(nodes, async ({ port }) => {
    const info = await ask(port, (redis) => redis.call('CLUSTER', 'INFO'));
    return String(info).includes('cluster_state:ok');
  });
}

async function knownTo(port: number): Promise<number> {
  const nodes = await ask(port, (redis) => redis.call('CLUSTER', 'NODES'));
  return String(nodes)
    .split('\n')
    .filter((line) => line.includes('connected')).length;
}

/** The port at which others reach the master that has the keys of the bot. */
async function ownerPort(nodes: readonly ClusterNode[]): Promise<number> {
  for (const { port, child } of nodes) {
    if (!child) continue;
    const found = await ask(port, async (redis) => {
      const slot = await redis.cluster('KEYSLOT', key('slot'));
      const slots: unknown = await redis.cluster('SLOTS');
      if (!Array.isArray(slots)) return undefined;
      const mine: unknown = slots.find(
        (one: unknown) => Array.isArray(one) && Number(one[0]) <= slot && slot <= Number(one[1]),
      );
      const owner: unknown = Array.isArray(mine) ? mine[2] : undefined;
      return Array.isArray(owner) ? Number(owner[1]) : undefined;
    });
    if (found !== undefined) return found;
  }
  throw new Error('no node of the cluster answers');
}

async function every<One>(all: readonly One[], holds: (one: One) => Promise<boolean>): Promise<void> {
  for (const one of all) await until(() => holds(one));
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(LOOK_EVERY_MS);
}
