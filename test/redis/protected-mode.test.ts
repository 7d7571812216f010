import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connectBlocking, connectFailFast } from '../../src/platform/redis/connection.ts';
import { redisNo } from '../../src/platform/redis/faults.ts';

const PROTECTED =
  'DENIED Redis is running in protected mode because protected mode is enabled and no password is set for the default user. In this mode connections are only accepted from the loopback interface.';

/** Says no to whoever comes, as a Redis in protected mode does. Gives its address. */
async function startProtected(): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(`-${PROTECTED}\r\n`));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([
  ['a person waits for', connectFailFast, ''],
  ['runs behind the queue', connectBlocking, ''],
  ['runs behind the queue, with a password', connectBlocking, ':secret-one@'],
])(
  'a Redis in protected mode is told in its own words, by the log alone, to what %s',
  async (_name, connect, login) => {
    const printed = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => printed.mockRestore());
    const url = (await startProtected()).replace('//', `//${login}`);
    const said = await new Promise<Error>((tell) => {
      const redis = connect({ url }, (error) => {
        if (error.message.startsWith('DENIED')) tell(error);
      });
      onTestFinished(() => redis.disconnect());
    });
    expect(redisNo(said)).toBe(
      'Redis is in protected mode, in which it takes nobody from another machine: give it a password (requirepass), and put it into REDIS_URL',
    );
    expect(printed).not.toHaveBeenCalled();
  },
);

it.each(['write EPIPE', 'read ECONNRESET'])(
  'a Redis whose own words get lost as it hangs up (%s) is told with what it may have said',
  (message) => {
    expect(redisNo(new Error(message), 'redis://cache')).toContain('It may be in protected mode');
  },
);
