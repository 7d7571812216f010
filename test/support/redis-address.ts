import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** One address that leads to whichever Redis is the primary. */
export interface RedisAddress {
  readonly url: string;
  readonly port: number;
  /** New connections lead to another Redis, by its socket; what was opened before stays with the old one. */
  leadTo(other: string): void;
  /** What stands open hears nothing any more, as from a host that is gone without a word. */
  silence(): void;
}

/** Opens such an address in front of the Redis at the socket `first`, closed after the test. */
export async function openRedisAddress(first: string): Promise<RedisAddress> {
  const sockets = new Set<Socket>();
  let target = first;
  const server = createServer((mine) => {
    const theirs = connect(target);
    for (const [one, other] of [
      [mine, theirs],
      [theirs, mine],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.on('data', (chunk) => other.write(chunk));
    }
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo; // a TCP listener's address is never a string
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    leadTo: (other) => {
      target = other;
    },
    silence: () => {
      for (const socket of sockets) socket.removeAllListeners('data').resume();
    },
  };
}
