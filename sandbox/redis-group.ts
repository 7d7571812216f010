import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeAtExit } from './cleanup.ts';
import {
  createBlowsTo,
  createNodes,
  lookFor,
  type Node,
  type RedisGroup,
  settingsWith,
} from './redis-nodes.ts';
import { findRedisServer } from './redis.ts';
import { endChild, launch } from './redis-process.ts';
import { known, NAME, primaryPort, startSentinels } from './sentinels.ts';

export interface RedisGroupOptions {
  /** How much later replicas get what is written, ms. */
  readonly delayMs?: number;
  /** How much later what a bot asks arrives, and as much its answer, ms; default not at all. */
  readonly clientDelayMs?: number;
  /** Of each replica, for Sentinel; default all the same. */
  readonly priorities?: readonly number[];
}

/** A primary, its replicas and three Sentinels of our own, on ports of this machine. */
export async function startRedisGroup({
  delayMs = 5,
  clientDelayMs = 0,
  priorities = [100, 100],
}: RedisGroupOptions = {}): Promise<RedisGroup> {
  const server = findRedisServer();
  const root = mkdtempSync(join(tmpdir(), 'lamp-'));
  const removeRoot = removeAtExit(root);
  const delays = { replicasMs: delayMs, clientsMs: clientDelayMs };
  const { nodes, closeWays } = await createNodes(root, delays, [100, ...priorities]);
  const start = async (node: Node, primary: Node | undefined): Promise<void> => {
    node.child = await launch(server, settingsOf(node, primary));
  };
  const [first, ...replicas] = nodes;
  if (!first) throw new Error('no primary');
  await start(first, undefined);
  for (const node of replicas) await start(node, first);
  const sentinels = await startSentinels(server, root, first.shownPort);
  const asked = sentinels.map(({ port }) => port);
  const look = lookFor(nodes, () => primaryPort(asked));
  await look.inStep(replicas.length);
  await known(asked, priorities);
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

function settingsOf(node: Node, primary: Node | undefined): string[] {
  return settingsWith(node, {
    'replica-priority': node.priority,
    'replica-announce-ip': '127.0.0.1',
    'replica-announce-port': node.shownPort,
    ...(primary ? { replicaof: `127.0.0.1 ${primary.shownPort}` } : {}),
  });
}
