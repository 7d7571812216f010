import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A way to Redis that can be frozen or cut for one bot alone. */
export interface RedisProxy {
  readonly url: string;
  /** Nothing comes through until `thaw`, as for a process that stands still. */
  freeze(): void;
  thaw(): void;
  /** What comes through does so this much later from now on, ms, on the way there and on the way back. */
  delay(ms: number): void;
  /** Every connection ends and none is made any more, as for a process that is gone. */
  cut(): void;
  /** The next connection that sends these words ends as Redis answers it, and the answer is lost; another can be made at once. */
  loseAnswerTo(words: string): void;
  stop(): Promise<void>;
}

/** Starts a proxy to the Redis at `redisUrl`: a socket, and which database of it. */
export async function startRedisProxy(redisUrl: string): Promise<RedisProxy> {
  const [target = '', database] = redisUrl.split('?');
  const folder = mkdtempSync(join(tmpdir(), 'lamp-'));
  const path = join(folder, 'proxy.sock');
  const url = database === undefined ? path : `${path}?${database}`;
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let isCut = false;
  let delayMs = 0;
  let lostWords: string | undefined;
  const losing = new Set<Socket>();
  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
    socket.on('data', (chunk) => {
      if (losing.delete(socket)) other.destroy();
      else if (delayMs === 0) other.write(chunk);
      else setTimeout(() => other.write(chunk), delayMs);
    });
    if (isFrozen) socket.pause();
  };
  const server = createServer((mine) => {
    if (isCut) {
      mine.destroy();
      return;
    }
    const theirs = connect(target);
    mine.on('data', (chunk) => {
      if (lostWords === undefined || !chunk.includes(lostWords)) return;
      lostWords = undefined;
      losing.add(theirs);
    });
    keep(mine, theirs);
    keep(theirs, mine);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  const each = (what: (socket: Socket) => void): void => [...sockets].forEach(what);
  return {
    url,
    freeze: () => {
      isFrozen = true;
      each((socket) => socket.pause());
    },
    thaw: () => {
      isFrozen = false;
      each((socket) => socket.resume());
    },
    delay: (ms) => {
      delayMs = ms;
    },
    cut: () => {
      isCut = true;
      each((socket) => socket.destroy());
    },
    loseAnswerTo: (words) => {
      lostWords = words;
    },
    stop: async () => {
      isCut = true;
      each((socket) => socket.destroy());
      await new Promise<void>((done) => {
        server.close(() => done());
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
