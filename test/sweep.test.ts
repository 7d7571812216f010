import { expect, it, onTestFinished, vi } from 'vitest';
import { createSweeps, type SweptKind } from '../src/core/sweep.ts';
import { createLog } from '../src/platform/log/log.ts';
import { scopedTo } from '../src/platform/redis/key.ts';
import { fixedClock } from './support/fixed-clock.ts';
import { connectDatabase } from './support/shared-redis.ts';

const LOG = createLog('silent', []);
const NAMES = Array.from({ length: 100 }, (_, nth) => `account-${nth}`);
const KINDS = ['operation', 'post', 'watch'];

/** The sweeps of a process with a hundred accounts, of which `busy` have something overdue. */
async function sweepAll(busy: readonly string[]) {
  const redis = await connectDatabase();
  const [asked, put]: [string[], string[]] = [[], []];
  const exists = vi.spyOn(redis, 'exists');
  const sweeps = createSweeps({
    redis,
    clock: fixedClock(() => 10_000),
    timings: { sweepEveryMs: 100 },
    log: LOG,
  });
  onTestFinished(() => sweeps.stop());
  const remove = NAMES.map((name) => {
    const own = scopedTo(`${name}:`, redis);
    const kinds = KINDS.map((job): SweptKind => {
      const listDue = (before: number): Promise<string[]> => {
        asked.push(`${name} ${job}`);
        return own.zrangebyscore(job, '-inf', before);
      };
      return { job, index: job, listDue };
    });
    const ensure = async (job: string, id: string): Promise<boolean> => put.push(`${name} ${job} ${id}`) > 0;
    return sweeps.add({ scope: `${name}:`, queue: { ensure }, kinds, log: LOG });
  });
  await Promise.all(busy.map((name) => redis.zadd(`${name}:post`, 1, 'lost')));
  sweeps.start();
  return { asked, put, exists, remove };
}

it('of a hundred accounts with nothing to do Redis is asked once in a round', async () => {
  const { asked, exists } = await sweepAll([]);
  await expect.poll(() => exists.mock.calls.length).toBeGreaterThan(2);
  expect(new Set(exists.mock.calls.map((keys: readonly unknown[]) => keys.length))).toEqual(new Set([300]));
  expect(asked).toEqual([]);
});

it('what is overdue in some accounts is put back in each of them, and few others are asked', async () => {
  const { asked, put, remove } = await sweepAll(['account-3', 'account-57']);
  await expect.poll(() => new Set(put).size).toBe(2);
  expect([...new Set(put)].toSorted()).toEqual(['account-3 post lost', 'account-57 post lost']);
  expect(new Set(asked).size).toBeLessThanOrEqual(20);
  remove[3]?.();
  await new Promise(setImmediate);
  const before = put.length;
  await expect
    .poll(() => put.slice(before).filter((one) => one.startsWith('account-57')).length)
    .toBeGreaterThan(1);
  expect(put.slice(before + 1)).not.toContain('account-3 post lost');
});
