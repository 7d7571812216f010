import { setTimeout as wait } from 'node:timers/promises';
import { Queue } from 'bullmq';
import type { RedisConnection } from '../src/platform/redis/connection.ts';
import { POSTS } from '../src/core/outbox/outbox.ts';
import { CHECK_JOB } from '../src/features/billing/alerts/check.ts';
import { TELL_JOB } from '../src/features/billing/alerts/tell.ts';
import { type JobData, QUEUE, QUEUE_PREFIX } from '../src/platform/queue/queue.ts';
import { BUDGET } from '../src/platform/hosting/budget.ts';
import type { Service } from './service/service.ts';

/** Days that pass in a moment, and what the bot makes of them. Each wait ends after a while in any case. */
export interface Passing {
  /** Has the bot look at the balance or the month once, where there is one; by itself it does only from time to time. Resolves when it has looked. */
  look(): Promise<void>;
  /** Lets time pass at the hosting service, in ms. Resolves when the bot has read what that costs, where it can. */
  pass(ms: number): Promise<void>;
  /** Resolves when what the last look at the money came to is in Slack, and every message that stands by itself. */
  reported(): Promise<void>;
  close(): Promise<void>;
}

const LIMIT_MS = 30_000;
/** A reading that is younger may be shown again in place of another one. */
const SHARED_FOR_MS = 1_000;
const POLL_EVERY_MS = 25;
const SOON_MS = 2_000;

/** An account of the bot, as days pass for it. */
interface PassingAccount {
  /** Puts the account's scope before each key. */
  readonly redis: RedisConnection;
  readonly scope: string;
  readonly service: Service;
}

/** `redis` is the bot's own, on a connection that waits for it. `accounts`: all that the bot runs. */
export function createPassing(redis: RedisConnection, accounts: readonly PassingAccount[]): Passing {
  const each = accounts.map((account) => passingOf(redis, account));
  const look: Passing['look'] = async () => void (await Promise.all(each.map((one) => one.look())));
  return {
    look,
    pass: async (ms) => {
      for (const { service } of accounts) service.hurry(ms);
      await wait(SHARED_FOR_MS);
      await forgetCalls(redis);
      await look();
    },
    reported: () =>
      waitFor(async () => {
        const areIdle = async (): Promise<boolean> =>
          (await Promise.all(each.map((one) => one.isIdle()))).every(Boolean);
        // Twice, because a job may go from one state to another between two questions.
        return (await areIdle()) && (await areIdle());
      }),
    close: async () => void (await Promise.all(each.map((one) => one.close()))),
  };
}

function passingOf(
  bare: RedisConnection,
  { redis, scope, service }: PassingAccount,
): Pick<Passing, 'look' | 'close'> & { isIdle(): Promise<boolean> } {
  let opened: Queue | undefined;
  const queue = (): Queue =>
    (opened ??= new Queue<JobData>(QUEUE, { connection: bare, prefix: QUEUE_PREFIX }));
  return {
    look: async () => {
      if (!service.hasMoney) return;
      const done = { removeOnComplete: true, removeOnFail: true };
      const { id = '' } = await queue().add(CHECK_JOB, { id: 'asked', scope }, done);
      await waitFor(async () => (await queue().getJob(id)) === undefined);
    },
    /** Whether nothing of any account runs or is about to; a message of the alert may wait for its turn in its channel. */
    isIdle: async () => {
      const counts = await queue().getJobCounts('wait', 'active', 'prioritized');
      const delayed = await queue().getDelayed();
      const isTellingSoon = delayed.some((job) => job.name === TELL_JOB && job.delay <= SOON_MS);
      const posts = await redis.zcount(POSTS.index, '-inf', Date.now() + SOON_MS);
      return Object.values(counts).every((count) => count === 0) && !isTellingSoon && posts === 0;
    },
    close: async () => opened?.close(),
  };
}

/** The calls that the bot counted belong to a minute that is long over when days have passed. */
async function forgetCalls(redis: RedisConnection): Promise<void> {
  const counted = await redis.keys(`${BUDGET}*`);
  if (counted.length > 0) await redis.del(...counted);
}

async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + LIMIT_MS;
  while (!(await isSo()) && performance.now() < until) await wait(POLL_EVERY_MS);
}
