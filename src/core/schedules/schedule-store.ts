import type { Entry } from '../audit/entry.ts';
import { BATCHES } from '../batches/batch-store.ts';
import { requestKeys } from '../ask/ask.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { type Commit, together, remove, set } from '../records/commit.ts';
import { NONE, absent, fewer } from '../records/conditions.ts';
import type { Outbox, Said } from '../outbox/outbox.ts';
import { createRecords, type RecordKind, type Records, Unmet, writesOf } from '../records/records.ts';
import type { Woken } from '../records/job.ts';
import { SCHEDULE_JOB } from '../operations/operations.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { offerKey, usingUp } from '../offers/offers.ts';
import { DRAFTS, type OpenRun, type Schedule, scheduleSchema } from './schedule-record.ts';
import { key } from '../../platform/redis/key.ts';
import { batchIdOf, dueAtOf } from './schedule.ts';
import type { Holidays } from '../policy/sections.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import { asItIsPressed, asItRuns } from './holidays.ts';

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
export interface ScheduleStep {
  /** The run that the step opens, or ends without a batch. */
  readonly run?: { readonly how: 'open' | 'end'; readonly run: Pick<OpenRun, 'ruleAt'> } | undefined;
  readonly entry?: Entry;
  /** What it says by the step. */
  readonly says?: (after: Schedule, before: Schedule) => readonly Said[];
  /** What it uses up, asked for again where something was moved meanwhile. */
  readonly using?: () => Promise<Commit<'moved'>>;
}

export interface ScheduleStore extends Pick<Records<Schedule>, 'find' | 'listDue'> {
  /**
   * Writes one down, which says this, and uses up what was shown before. `there`: there is one of this id, or was; `full`: there
   * are as many as there may be; `used`: what was shown was canceled.
   */
  create(
    schedule: Schedule,
    also?: { readonly draftId?: string; readonly says?: readonly Said[] },
  ): Promise<'created' | 'there' | 'full' | 'used'>;
  /** The part of a commit that writes one down with something else; `full`: there are as many as there may be. */
  writing(schedule: Schedule): Commit<'full'>;
  /**
   * Moves one by a pure step, again from the start whenever somebody else moved it meanwhile. Gives it as it is then;
   * undefined where the step did not apply. Throws RunBegun where the step gives a run up whose batch has begun.
   */
  change(
    scheduleId: string,
    step: (schedule: Schedule) => Schedule | undefined,
    also?: ScheduleStep,
  ): Promise<Schedule | undefined>;
  /** The part of a commit that moves one from where it stands now by a pure step, with what that says; undefined where it did not apply. */
  moving(
    scheduleId: string,
    step: (schedule: Schedule) => Schedule | undefined,
    says: NonNullable<ScheduleStep['says']>,
  ): Promise<Commit<'moved'> | undefined>;
  /** All that are open. */
  list(): Promise<readonly Schedule[]>;
}

/** An open one that nobody looked at for so long after it was due has no bot any more. */
const OPEN_KEPT_MS = 60 * DAY_MS;
/** Longer than a run is tried. */
const REQUEST_KEPT_MS = DAY_MS;

export const SCHEDULES = {
  job: SCHEDULE_JOB,
  isSeldom: true,
  isByCalendar: true,
  keyOf: (scheduleId: string) => key('schedule', scheduleId),
  index: key('schedules', 'open'),
  schema: scheduleSchema,
  dueAt: dueAtOf,
  // Longer than a late press of a button of one that is over, or of what it was saved by.
  keptMs: 7 * DAY_MS,
} satisfies RecordKind<Schedule> & Woken;

export function createScheduleStore({
  redis,
  outbox,
  clock,
}: {
  readonly redis: RedisConnection;
  readonly outbox: Pick<Outbox, 'saying'>;
  readonly clock: Pick<RedisClock, 'now'>;
}): ScheduleStore {
  const kind: RecordKind<Schedule> = {
    ...SCHEDULES,
    openKeptMs: (dueAt) => Math.max(0, dueAt - clock.now()) + OPEN_KEPT_MS,
  };
  const records = createRecords(redis, kind);
  const isRoom = { if: [fewer(SCHEDULES.index, MAX_SCHEDULES, 'full' as const)] };
  return {
    create: async (schedule, { draftId, says = [] } = {}) => {
      const use = usingUp(draftId === undefined ? [] : [offerKey(DRAFTS, draftId)], schedule.id);
      const said = await outbox.saying(says, 'there');
      const also = together<'used' | 'full' | 'there'>(use, isRoom, said);
      const { result } = await records.create(schedule.id, schedule, also);
      return result === 'written' ? 'created' : result;
    },
    writing: (schedule) => ({ ...isRoom, write: writesOf(kind, schedule.id, NONE, schedule) }),
    find: records.find,
    change: async (scheduleId, step, { run, entry, says = () => [], using } = {}) => {
      const withRun = { ...runWith(scheduleId, run), audit: entry };
      try {
        return await records.change(scheduleId, step, async (after, before) =>
          together<'begun' | 'moved'>(
            withRun,
            await outbox.saying(says(after, before), 'moved'),
            (await using?.()) ?? {},
          ),
        );
      } catch (error) {
        throw error instanceof Unmet ? new RunBegun() : error;
      }
    },
    moving: (scheduleId, step, says) =>
      records.moving(scheduleId, step, (after, before) => outbox.saying(says(after, before), 'moved')),
    list: async () => {
      const ids = await redis.zrange(SCHEDULES.index, '0', '-1');
      const found = await Promise.all(ids.map((id) => records.find(id)));
      return found.flatMap((one) => (one && !one.closed ? [one] : []));
    },
    listDue: records.listDue,
  };
}

/**
 * What goes with a step that opens or ends a run. What the run is to begin by, the request of its batch, is there as long as it
 * is open: so no batch begins of a run that was given up, and no run is given up whose batch has begun.
 */
function runWith(id: string, run: ScheduleStep['run']): Commit<'begun'> {
  if (!run) return {};
  const batchId = batchIdOf({ id }, run.run);
  const request = requestKeys.request(batchId);
  return run.how === 'open'
    ? { write: [set(request, id, REQUEST_KEPT_MS)] }
    : { if: [absent(BATCHES.keyOf(batchId), 'begun')], write: [remove(request)] };
}

/** The only door to schedules: what is changed here is woken. */
export type Schedules = Pick<ScheduleStore, 'create' | 'find' | 'change' | 'moving' | 'list'>;

/** What it gives is as it runs by the lists of holidays at that moment. */
export function createSchedules({
  scheduleStore,
  queue,
  holidays,
}: {
  readonly scheduleStore: ScheduleStore;
  readonly queue: WorkQueue;
  readonly holidays: () => Holidays;
}): Schedules {
  const seen = (schedule: Schedule): Schedule => asItRuns(schedule, holidays());
  // What could not be woken is found by the sweep.
  const wake = (id: string): Promise<void> => queue.wake(SCHEDULE_JOB, id).catch(() => undefined);
  return {
    create: async (schedule, also) => {
      const result = await scheduleStore.create(schedule, also);
      if (result === 'created' || result === 'there') await wake(schedule.id);
      return result;
    },
    find: async (id) => {
      const found = await scheduleStore.find(id);
      return found && seen(found);
    },
    list: async () => (await scheduleStore.list()).map(seen),
    moving: scheduleStore.moving,
    change: async (id, step, also) => {
      const { says } = also ?? {};
      const after = await scheduleStore.change(id, (one) => step(asItIsPressed(one, holidays())), {
        ...also,
        ...(says && { says: (now, before) => says(seen(now), before) }),
      });
      if (after) await wake(id);
      return after && seen(after);
    },
  };
}
