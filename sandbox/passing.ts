import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { CHECK_JOB } from '../src/billing/alerts/check.ts';
import { ALARM_ID } from '../src/billing/alerts/tell.ts';
import { keys } from '../src/redis/keys.ts';
import type { HostingSandbox } from './hosting/sandbox.ts';

/** Days that pass in a moment, and what the bot makes of them. */
export interface Passing {
  /**
   * Lets time pass at the hosting company, in ms, and has the bot look at the balance, which it does by itself only from
   * time to time. Resolves when it has looked; after a while in any case.
   */
  pass(ms: number): Promise<void>;
  /** Resolves when the bot has told what the last look at the balance came to; after a while in any case. */
  told(): Promise<void>;
  close(): Promise<void>;
}

const BALANCE = /\/billing\/summary$/;
const LIMIT_MS = 10_000;
/** A reading that is as young as this may be shown again in place of another one. */
const SHARED_FOR_MS = 2_000;
const LOOK_EVERY_MS = 25;

/** `redis` is the bot's own, on a connection that waits for it. */
export function createPassing(redis: Redis, hosting: HostingSandbox): Passing {
  let opened: Queue | undefined;
  const queue = (): Queue => (opened ??= new Queue('billing', { connection: redis, prefix: keys.queue }));

  /** One look of the bot, from its beginning to its end. */
  const look = async (until: number): Promise<void> => {
    const done = { removeOnComplete: true, removeOnFail: true };
    const { id = '' } = await queue().add(CHECK_JOB, { id: ALARM_ID }, done);
    await waitFor(async () => (await queue().getJob(id)) === undefined, until);
  };

  return {
    pass: async (ms) => {
      const until = performance.now() + LIMIT_MS;
      const sharedUntil = performance.now() + SHARED_FOR_MS;
      const reads: string[] = [];
      const note = ({ path }: { path: string }): void => {
        if (BALANCE.test(path)) reads.push(path);
      };
      hosting.hurry(ms);
      hosting.events.on('call', note);
      try {
        await look(until);
        while (reads.length === 0 && performance.now() < sharedUntil) {
          await pause();
          await look(until);
        }
      } finally {
        hosting.events.off('call', note);
      }
    },
    told: () =>
      waitFor(async () => {
        const counts = await queue().getJobCounts('wait', 'active', 'prioritized');
        return Object.values(counts).every((count) => count === 0);
      }, performance.now() + LIMIT_MS),
    close: async () => opened?.close(),
  };
}

async function waitFor(isSo: () => Promise<boolean>, until: number): Promise<void> {
  while (!(await isSo()) && performance.now() < until) await pause();
}

function pause(): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, LOOK_EVERY_MS);
  });
}
