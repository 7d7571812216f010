import { connectBlocking } from '../src/platform/redis/connection.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Batch } from '../src/core/batches/batch.ts';
import { batchIdOf, newSchedule } from '../src/core/schedules/schedule.ts';
import type { Schedule } from '../src/core/schedules/schedule-record.ts';
import { createScheduleStore, type ScheduleStore } from '../src/core/schedules/schedule-store.ts';
import { idOf } from '../src/platform/id.ts';
import type { Ground } from './ground.ts';
import type { Random } from './random.ts';
import { wait } from './wait.ts';

/** Schedules that are due once each while everything else fails: each makes one run, and the run is reported. */

const COUNT = 6;
/** Ids of instances that nobody else in the sandbox has. */
const FIRST_ID = 900_000;
const SETTLE_LIMIT_MS = 60_000;
const POLL_EVERY_MS = 200;

/** What was planted: which run of which schedule. */
export interface Planted {
  readonly id: string;
  readonly ruleAt: number;
  readonly instanceId: string;
}

/** Writes schedules down before anything fails, each for an instance of its own, due at some time of the run. */
export function plantSchedules(
  sandbox: Sandbox,
  ground: Pick<Ground, 'add'>,
  random: Random,
  {
    userId,
    channelId,
    lengthMs,
  }: { readonly userId: string; readonly channelId: string; readonly lengthMs: number },
): Promise<readonly Planted[]> {
  return withStore(sandbox, (store) =>
    Promise.all(
      Array.from({ length: COUNT }, async (_, index): Promise<Planted> => {
        const name = `planned-${index}`;
        ground.add(FIRST_ID + index, name, 'running');
        const at = Date.now() + Math.round(random.between(lengthMs * 0.1, lengthMs));
        const id = idOf(`planted ${at} ${index}`);
        const when = {
          kind: 'once',
          zone: 'UTC',
          verb: 'restart',
          date: '2100-01-01',
          hour: 0,
          minute: 0,
        } as const;
        const target = { filters: [`name:${name}`] };
        const schedule = newSchedule({ id, owner: { userId }, channelId, target, when }, Date.now());
        // Far ahead by its rule, so that none comes after it.
        const next = { verb: 'restart' as const, at, ruleAt: schedule.next?.ruleAt ?? at };
        await store.create({ ...schedule, next });
        return { id, ruleAt: next.ruleAt, instanceId: String(FIRST_ID + index) };
      }),
    ),
  );
}

/** Resolves when each has run, or after a while. */
export async function schedulesSettled(sandbox: Sandbox, planted: readonly Planted[]): Promise<void> {
  const until = performance.now() + SETTLE_LIMIT_MS;
  await withStore(sandbox, async (store) => {
    const isOpen = (one: Schedule | undefined): boolean => !one?.closed;
    while (performance.now() < until) {
      const all = await Promise.all(planted.map(({ id }) => store.find(id)));
      if (!all.some(isOpen)) return;
      await wait(POLL_EVERY_MS);
    }
  });
}

/** What is wrong with schedules, as sentences: each is to have run once. */
export async function judgeSchedules(
  sandbox: Sandbox,
  planted: readonly Planted[],
  batches: readonly Batch[],
): Promise<{ lost: string[]; doubled: string[]; wrong: string[] }> {
  return withStore(sandbox, async (store) => {
    const faults = await Promise.all(
      planted.map(async (one): Promise<string[]> => {
        const schedule = await store.find(one.id);
        const result = schedule?.last?.result;
        const isThere = batches.some(({ id }) => id === batchIdOf(one, one));
        const { length } = batches.filter(({ items }) =>
          items.some(({ subject }) => subject.id === one.instanceId),
        );
        if (result === 'begun' && isThere && length === 1) return [];
        return [`schedule ${one.id}: ${result ?? 'never run'}, with ${length} batches`];
      }),
    );
    return { lost: faults.flat(), doubled: [], wrong: [] };
  });
}

/** What is planted says nothing. */
const SILENT = { saying: async () => ({}) };

async function withStore<T>({ redisUrl }: Sandbox, use: (store: ScheduleStore) => Promise<T>): Promise<T> {
  const redis = connectBlocking({ url: redisUrl }, () => undefined);
  redis.on('error', () => undefined);
  try {
    return await use(createScheduleStore({ redis, outbox: SILENT, clock: { now: () => Date.now() } }));
  } finally {
    redis.disconnect();
  }
}
