import { connect, createServer, type Socket } from 'node:net';

/** The address of one Redis behind which it answers, and from which replicas get its writes a little later. */
export interface DelayedReplication {
  readonly port: number;
  stop(): Promise<void>;
}

/** What a replica says to its primary before it gets its data. */
const IS_REPLICA = /\b(?:PSYNC|SYNC)\b/i;

/**
 * Leads to the Redis at `port` of this machine. What goes from it to a replica does so `delayMs` later, as between machines: what
 * is on its way when the Redis dies is lost.
 */
export async function delayReplication(port: number, delayMs: number): Promise<DelayedReplication> {
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
      theirs.write(chunk);
    });
    theirs.on('data', (chunk) => {
      if (isReplica) setTimeout(() => mine.write(chunk), delayMs);
      else mine.write(chunk);
    });
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
