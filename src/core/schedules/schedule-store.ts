import { type Audit, loadAudited } from '../audit/audit.ts';
import type { Entry } from '../audit/entry.ts';
import { batchKeys } from '../batches/keys.ts';
import { requestKeys } from '../ask/keys.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { createIndexedRecords, INDEXED_RECORD } from '../../platform/redis/indexed-records.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { scheduleKeys } from './keys.ts';
import { batchIdOf, dueAtOf, type OpenRun, type Schedule, scheduleSchema } from './schedule.ts';

/** How many there are at most at a time. */
export const MAX_SCHEDULES = 100;

/** A run can't be given up any more, since its batch has begun. */
export class RunBegun extends Error {
  constructor() {
    super('giving a run of a schedule up: its batch has begun');
    this.name = 'RunBegun';
  }
}

/** What is written with a step. */
interface With {
  /** The run that the step opens, or ends without a batch. */
  readonly run?: { readonly how: 'open' | 'end'; readonly run: Pick<OpenRun, 'ruleAt'> } | undefined;
  readonly entry?: Entry;
}

export interface ScheduleStore {
  /** Writes one down. `there`: there is one of this id, or was; `full`: there are as many as there may be. */
  create(schedule: Schedule): Promise<'created' | 'there' | 'full'>;
  find(scheduleId: string): Promise<Schedule | undefined>;
  /**
   * Moves one by a pure step, again from the start whenever somebody else moved it meanwhile. Gives it as it is then;
   * undefined where the step did not apply. Throws RunBegun where the step gives a run up whose batch has begun.
   */
  change(
    scheduleId: string,
    step: (schedule: Schedule) => Schedule | undefined,
    also?: With,
  ): Promise<Schedule | undefined>;
  /** All that are open. */
  list(): Promise<readonly Schedule[]>;
  /** Ids of those that should have been looked at before `before`, Unix ms. */
  listDue(before: number): Promise<string[]>;
}

/** Longer than a late press of a button of one that is over, or of what it was saved by. */
const CLOSED_KEPT_MS = 7 * DAY_MS;
/** An open one that nobody looked at for so long after it was due has no bot any more. */
const OPEN_KEPT_MS = 60 * DAY_MS;
/** Longer than a run is tried. */
const REQUEST_KEPT_MS = DAY_MS;

class Full extends Error {}

const step = loadAudited(INDEXED_RECORD, new URL('./schedule-step.lua', import.meta.url));

export function createScheduleStore(
  redis: RedisConnection,
  audit: Audit,
  clock: Pick<RedisClock, 'now'>,
): ScheduleStore {
  const records = createIndexedRecords<Schedule, With>(redis, {
    keyOf: scheduleKeys.schedule,
    index: scheduleKeys.open,
    schema: scheduleSchema,
    dueAt: dueAtOf,
    keptMs: CLOSED_KEPT_MS,
    swap: async (keys, [id = '', version = '', record = '', dueAt = ''], { run, entry } = {}) => {
      const batchId = run ? batchIdOf({ id: String(id) }, run.run) : 'none';
      const keptMs = dueAt === '' ? CLOSED_KEPT_MS : Math.max(0, Number(dueAt) - clock.now()) + OPEN_KEPT_MS;
      const answer = await audit.run(
        step,
        [...keys, requestKeys.request(batchId), batchKeys.batch(batchId)],
        [id, version, record, dueAt, Math.ceil(keptMs), run?.how ?? '', MAX_SCHEDULES, REQUEST_KEPT_MS],
        entry,
      );
      if (answer === 'begun') throw new RunBegun();
      if (answer === 'full') throw new Full();
      return answer;
    },
  });
  return {
    create: async (schedule) => {
      try {
        return (await records.create(schedule.id, schedule)) ? 'created' : 'there';
      } catch (error) {
        if (error instanceof Full) return 'full';
        throw error;
      }
    },
    find: records.find,
    change: records.change,
    list: async () => {
      const ids = await redis.zrange(scheduleKeys.open, '0', '-1');
      const found = await Promise.all(ids.map((id) => records.find(id)));
      return found.flatMap((one) => (one ? [one] : []));
    },
    listDue: records.listDue,
  };
}
