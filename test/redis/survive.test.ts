import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { commit, set } from '../../src/core/records/commit.ts';
import { connectBlocking } from '../../src/platform/redis/connection.ts';
import { key } from '../../src/platform/redis/key.ts';
import { takeDatabase } from '../support/shared-redis.ts';

it('what must outlive Redis leaves with the question for its replicas, which several share and none does that comes later', async () => {
  const { url, release } = await takeDatabase();
  const redis = connectBlocking({ url, replicas: 1 }, () => undefined);
  onTestFinished(() => {
    redis.disconnect();
    release();
  });
  if (redis.status !== 'ready') await once(redis, 'ready');
  const write = (name: string): ReturnType<typeof commit> =>
    commit(redis, { write: [set(key('probe', name), 'x', 10_000)], survives: true });
  let sent: string[] = [];
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (...given) => {
    if (given[0].name !== 'script') sent.push(given[0].name);
    return send(...given);
  };
  // As where a replica has everything. A Redis that has none would take its time over each.
  redis.wait = async () => {
    sent.push('wait');
    await redis.ping();
    return 1;
  };
  const sentBy = async (writing: () => Promise<unknown>): Promise<readonly string[]> => {
    sent = [];
    await writing();
    return sent.filter((name) => name !== 'ping');
  };

  await redis.script('FLUSH');
  expect(await sentBy(() => write('unknown script'))).toEqual(['evalsha', 'wait', 'eval', 'wait']);
  const together = await sentBy(async () => {
    const writing = Promise.all([write('one'), write('other')]);
    // Long before any answer can be read.
    await new Promise((done) => process.nextTick(done));
    expect(sent.slice(0, 3)).toEqual(['evalsha', 'evalsha', 'wait']);
    await writing;
  });
  expect(together).toEqual(['evalsha', 'evalsha', 'wait']);
  const oneAfterAnother = await sentBy(async () => {
    const first = write('one');
    await new Promise((done) => setImmediate(done));
    await Promise.all([first, write('other')]);
  });
  expect(oneAfterAnother).toEqual(['evalsha', 'wait', 'evalsha', 'wait']);
});
