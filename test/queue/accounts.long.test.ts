import { expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../src/platform/log/log.ts';
import { createQueue, type SharedQueue } from '../../src/platform/queue/queue.ts';
import type { RunJob } from '../../src/platform/queue/run-job.ts';
import { createWorker } from '../../src/platform/queue/worker.ts';
import { connectBlocking } from '../../src/platform/redis/connection.ts';
import { scopeOf } from '../../src/platform/redis/key.ts';
import { takeDatabase } from '../support/shared-redis.ts';

const [ACME, LABS] = [scopeOf('acme'), scopeOf('labs')];
const TIMINGS = { jobLockMs: 60_000 };
const JOB = 'job';

/** A queue, and processes that run the jobs of some accounts. */
async function open(): Promise<{
  queue: SharedQueue;
  startProcess: (accounts: Readonly<Record<string, RunJob>>) => void;
}> {
  const { url, release } = await takeDatabase();
  const redis = connectBlocking({ url }, () => undefined);
  const queue = createQueue({ connection: redis, prefix: '' });
  const workers: ReturnType<typeof createWorker>[] = [];
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.drain(1_000)));
    await queue.close();
    redis.disconnect();
    release();
  });
  return {
    queue,
    startProcess: (accounts) => {
      const worker = createWorker({ connection: redis, prefix: '' }, TIMINGS, createLog('silent', []));
      workers.push(worker);
      for (const [scope, run] of Object.entries(accounts)) worker.serve(scope, run);
      worker.start();
    },
  };
}

/** Notes which jobs it ran. */
function notes(): { ran: string[]; run: RunJob } {
  const ran: string[] = [];
  return { ran, run: async (_name, id) => void ran.push(id) };
}

const ids = Array.from({ length: 20 }, (_, nth) => `${nth}`);

it('a job of an account runs as soon where hundreds of another account wait for a service that is slow', async () => {
  const { queue, startProcess } = await open();
  let hanging = 0;
  const labs = notes();
  const hang: RunJob = (_name, _id, signal) => {
    hanging += 1;
    return new Promise((done) => signal.addEventListener('abort', () => done(undefined)));
  };
  startProcess({ [ACME]: hang, [LABS]: labs.run });
  const acme = queue.of(ACME);
  await Promise.all(Array.from({ length: 500 }, (_, nth) => acme.wake(JOB, `${nth}`)));
  await expect.poll(() => hanging, { timeout: 5_000 }).toBeGreaterThan(10);
  await queue.of(LABS).wake(JOB, 'one');
  await expect.poll(() => labs.ran).toEqual(['one']);
});

it('a job of an account that one process lacks runs in the process that has it, whichever takes it first', async () => {
  const { queue, startProcess } = await open();
  const [acme, labs] = [notes(), notes()];
  startProcess({ [ACME]: acme.run });
  await Promise.all(ids.flatMap((id) => [queue.of(ACME).wake(JOB, id), queue.of(LABS).wake(JOB, id)]));
  await expect.poll(() => acme.ran.length).toBe(ids.length);
  startProcess({ [LABS]: labs.run });
  await expect.poll(() => labs.ran.toSorted(), { timeout: 40_000 }).toEqual(ids.toSorted());
  expect(acme.ran.toSorted()).toEqual(ids.toSorted());
});

it('a job of an account that no process has any more is dropped, and put back by the sweep of one that has it again', async () => {
  const { queue, startProcess } = await open();
  const labs = notes();
  await queue.of(LABS).wake(JOB, 'one');
  startProcess({ [ACME]: notes().run });
  await expect.poll(() => queue.metrics()).toContain('state="delayed"} 1');
  const now = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 600_000);
  onTestFinished(() => void vi.restoreAllMocks());
  const isCounted = async (): Promise<boolean> =>
    /state="(waiting|active|delayed)"} [1-9]/.test(await queue.metrics());
  await expect.poll(isCounted).toBe(false);
  startProcess({ [LABS]: labs.run });
  expect(await queue.of(LABS).ensure(JOB, 'one')).toBe(true);
  await expect.poll(() => labs.ran, { timeout: 40_000 }).toEqual(['one']);
});

it('what waits of a workspace that removed the bot is taken out with what waits of its accounts', async () => {
  const { queue, startProcess } = await open();
  const [team, other] = [scopeOf('T1'), scopeOf('T11')];
  const scopes = [team, `${team}${ACME}`, other, `${other}${ACME}`];
  for (const scope of scopes) await queue.of(scope).wake(JOB, 'one');
  await queue.forget(team);
  const ran: string[] = [];
  startProcess(Object.fromEntries(scopes.map((scope) => [scope, async () => void ran.push(scope)])));
  await expect.poll(() => ran.length).toBe(2);
  await queue.of(team).wake(JOB, 'later');
  await expect.poll(() => ran).toContain(team);
  expect(ran.toSorted()).toEqual([team, other, `${other}${ACME}`].toSorted());
});
