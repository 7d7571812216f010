import { setTimeout as wait } from 'node:timers/promises';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { outboxKeys } from '../src/core/outbox/keys.ts';
import { CHECK_JOB } from '../src/features/billing/alerts/check.ts';
import { ALARM_ID, TELL_JOB } from '../src/features/billing/alerts/tell.ts';
import { QUEUE_PREFIX } from '../src/platform/queue/queue.ts';
import { BUDGET } from '../src/platform/hosting/budget.ts';
import type { HostingSandbox } from './hosting/sandbox.ts';

/** Days that pass in a moment, and what the bot makes of them. Each wait ends after a while in any case. */
export interface Passing {
  /** Has the bot look at the balance once, which it does by itself only from time to time. Resolves when it has looked. */
  look(): Promise<void>;
  /** Lets time pass at the hosting company, in ms. Resolves when the bot has read the balance that is left. */
  pass(ms: number): Promise<void>;
  /** Resolves when what the last look at the balance came to is in Slack, and every message that stands by itself. */
  told(): Promise<void>;
  close(): Promise<void>;
}

const LIMIT_MS = 30_000;
/** A reading that is younger may be shown again in place of another one. */
const SHARED_FOR_MS = 1_000;
const LOOK_EVERY_MS = 25;
const SOON_MS = 2_000;

/** `redis` is the bot's own, on a connection that waits for it. */
export function createPassing(redis: Redis, hosting: HostingSandbox): Passing {
  let opened: Queue | undefined;
  const queue = (): Queue => (opened ??= new Queue('billing', { connection: redis, prefix: QUEUE_PREFIX }));

  const look = async (): Promise<void> => {
    const done = { removeOnComplete: true, removeOnFail: true };
    const { id = '' } = await queue().add(CHECK_JOB, { id: ALARM_ID }, done);
    await waitFor(async () => (await queue().getJob(id)) === undefined);
  };

  /** Whether nothing runs or is about to; a message of the alert may wait for its turn in its channel. */
  const isIdle = async (): Promise<boolean> => {
    const counts = await queue().getJobCounts('wait', 'active', 'prioritized');
    const delayed = await queue().getDelayed();
    const isTellingSoon = delayed.some((job) => job.name === TELL_JOB && job.delay <= SOON_MS);
    const posts = await redis.zcount(outboxKeys.open, '-inf', Date.now() + SOON_MS);
    return Object.values(counts).every((count) => count === 0) && !isTellingSoon && posts === 0;
  };

  /** The calls that the bot counted belong to a minute that is long over when days have passed. */
  const forgetCalls = async (): Promise<void> => {
    const counted = await redis.keys(`${BUDGET}*`);
    if (counted.length > 0) await redis.del(...counted);
  };

  return {
    look,
    pass: async (ms) => {
      hosting.hurry(ms);
      await wait(SHARED_FOR_MS);
      await forgetCalls();
      await look();
    },
    told: () =>
      waitFor(async () => {
        // Twice, because a job may go from one state to another between two questions.
        return (await isIdle()) && (await isIdle());
      }),
    close: async () => opened?.close(),
  };
}

async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + LIMIT_MS;
  while (!(await isSo()) && performance.now() < until) await wait(LOOK_EVERY_MS);
}
