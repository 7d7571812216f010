import { createConnection } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { AbstractConnector, Redis, type RedisOptions } from 'ioredis';
import { z } from 'zod';
import { key } from './key.ts';

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

type Stream = Awaited<ReturnType<AbstractConnector['connect']>>;
/** How the nodes are reached. */
type Login = Pick<RedisOptions, 'username' | 'password' | 'tls'>;

const ANSWERS_WITHIN_MS = 1_000;
const AGAIN_AFTER_MS = 100;
const DISCONNECTS_WITHIN_MS = 2_000;

/** Slots from one to another, and who has them: the first is the primary. */
const nodeSchema = z.tuple([z.string(), z.number()]).rest(z.unknown());
const slotsSchema = z.array(z.tuple([z.number(), z.number()]).rest(nodeSchema));

/**
 * Leads a connection to the primary of a cluster that has the slot of the bot's keys by now: all of them are in that one, so this is all
 * of the cluster that the bot needs. It is asked at each connection, and so after each answer that says that they have moved. Throws
 * nothing for a cluster that is away: it is asked again.
 */
export function slotConnector(
  nodes: readonly RedisNode[],
  login: Login,
): new (options: unknown) => AbstractConnector {
  return class extends AbstractConnector {
    #known = nodes;
    constructor() {
      super(DISCONNECTS_WITHIN_MS);
    }
    async connect(onError: (type: string, error: Error) => void): Promise<Stream> {
      this.connecting = true;
      const owner = await this.#find(onError);
      const stream = login.tls
        ? connectTls({ servername: owner.host, ...login.tls, ...owner })
        : createConnection({ ...owner });
      this.stream = stream;
      stream.once('error', (error) => {
        this.firstError = error;
      });
      return stream;
    }
    async #find(onError: (type: string, error: Error) => void): Promise<RedisNode> {
      for (;;) {
        const found = await ownerOf([...this.#known, ...nodes], login);
        if (!this.connecting) throw new Error('connection is closed');
        if ('owner' in found) {
          this.#known = found.all;
          return found.owner;
        }
        onError('error', found.fault);
        await wait(AGAIN_AFTER_MS);
      }
    }
  };
}

/** The first node that answers tells who has the slot; where none does, what the last of them said. Never throws. */
async function ownerOf(
  nodes: readonly RedisNode[],
  login: Login,
): Promise<{ readonly owner: RedisNode; readonly all: readonly RedisNode[] } | { readonly fault: Error }> {
  let fault = new Error('no node of the cluster has the slot of the keys of the bot');
  for (const { host, port } of nodes) {
    const node = new Redis({
      host,
      port,
      ...login,
      retryStrategy: () => null,
      enableReadyCheck: false,
      connectTimeout: ANSWERS_WITHIN_MS,
      commandTimeout: ANSWERS_WITHIN_MS,
    });
    node.on('error', (error: Error) => {
      fault = error;
    });
    try {
      const slot = await node.cluster('KEYSLOT', key('slot'));
      const slots = slotsSchema.parse(await node.cluster('SLOTS'));
      const mine = slots.find(([from, to]) => slot >= from && slot <= to)?.[2];
      // One that knows no name of its own is where it was asked.
      const at = ([name, onPort]: z.output<typeof nodeSchema>): RedisNode => ({
        host: name || host,
        port: onPort,
      });
      if (mine) return { owner: at(mine), all: slots.flatMap(([, , ...of]) => of.map(at)) };
    } catch (error) {
      if (error instanceof Error) fault = error;
    } finally {
      node.disconnect();
    }
  }
  return { fault };
}
