import { connect, createServer, type Socket } from 'node:net';

/** The address of one Redis behind which it answers, later than it would by itself. */
export interface DelayedWay {
  readonly port: number;
  stop(): Promise<void>;
}

/** How much later what is sent arrives, ms; all of it, in its order, and in no more time for much than for little. */
export interface Delays {
  /** From the Redis to its replicas, as between machines: what is on its way when it dies is lost. */
  readonly replicasMs: number;
  /** To the Redis from all others, and as much back to them. */
  readonly clientsMs: number;
}

/** What a replica says to its primary before it gets its data. */
const IS_REPLICA = /\b(?:PSYNC|SYNC)\b/i;

/** Leads to the Redis at `port` of this machine. */
export async function delayWayTo(port: number, { replicasMs, clientsMs }: Delays): Promise<DelayedWay> {
  const sockets = new Set<Socket>();
  const server = createServer((mine) => {
    const theirs = connect(port, '127.0.0.1');
    let isReplica = false;
    for (const [one, other] of [
      [mine, theirs],
      [theirs, mine],
    ] as const) {
      one.setNoDelay(true);
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    mine.on('data', (chunk) => {
      isReplica ||= chunk.length < 1_000 && IS_REPLICA.test(chunk.toString('latin1'));
      passOn(theirs, chunk, isReplica ? 0 : clientsMs);
    });
    theirs.on('data', (chunk) => passOn(mine, chunk, isReplica ? replicasMs : clientsMs));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

function passOn(to: Socket, chunk: Buffer, afterMs: number): void {
  if (afterMs === 0) to.write(chunk);
  else setTimeout(() => to.write(chunk), afterMs);
}
