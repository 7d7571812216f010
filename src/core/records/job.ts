import { handlerAtOneRedis, type JobHandler } from '../../platform/queue/run-job.ts';
import type { OneKind } from './one-record.ts';
import type { RecordKind, Records } from './records.ts';
import type { SweptKind } from '../sweep.ts';

/** The job that takes the next steps of a kind of records. */
export interface Woken extends Omit<SweptKind, 'index' | 'listDue'> {
  /** It runs in the process that woke it, without the queue in between. */
  readonly isLocal?: boolean | undefined;
}

/** A job: it wakes the records of a kind. It may run twice or get lost; the sweep puts back what was lost. */
export interface Job extends Woken, Pick<SweptKind, 'index' | 'listDue'> {
  /** Takes the next step of the record of this id. */
  readonly run: JobHandler;
}

/** The job of a kind of records. Each of its steps is written where the one before was, or it begins anew from what the records say. */
export function jobOf(
  { job, isSeldom, isByCalendar, isLocal, index }: Woken & Pick<RecordKind<never>, 'index'>,
  { listDue }: Pick<Records<never>, 'listDue'>,
  run: JobHandler,
): Job {
  return { job, isSeldom, isByCalendar, isLocal, index, listDue, run: handlerAtOneRedis(run) };
}

/** What takes the next step of a record that is the only one of its kind. */
export interface WokenOne<T> extends Woken {
  /** Of the job. */
  readonly id: string;
  /** When the next step is due, Unix ms; infinity for never. */
  dueAt(record: T): number;
}

/** The job of a record that is the only one of its kind. */
export function jobOfOne<T extends object>(
  { job, isSeldom, isByCalendar, id, key, none, dueAt }: WokenOne<T> & Pick<OneKind<T>, 'key' | 'none'>,
  { get }: { get(): Promise<T> },
  run: JobHandler,
): Job {
  return {
    job,
    isSeldom,
    isByCalendar,
    // What is due before anything was written has no key to be found by.
    index: Number.isFinite(dueAt(none)) ? undefined : key,
    listDue: async (before) => (dueAt(await get()) < before ? [id] : []),
    run: handlerAtOneRedis(run),
  };
}

/**
 * The same by the calendar: it takes the step that is due, and waits until then. One job takes one step, so that a process that is to
 * end doesn't wait for the next. `step`: what is done with the record; it moves on when the next one is due. `now`: the calendar's, Unix ms.
 */
export function jobByCalendar<T extends object>(
  kind: WokenOne<T> & Pick<OneKind<T>, 'key' | 'none'>,
  store: { get(): Promise<T> },
  calendar: { today(): Promise<number> },
  step: (record: T, now: number) => Promise<void>,
): Job {
  return jobOfOne(kind, store, async (_id, signal) => {
    if (signal.aborted) return undefined;
    const [record, now] = await Promise.all([store.get(), calendar.today()]);
    const waitMs = kind.dueAt(record) - now;
    if (waitMs > 0) return Number.isFinite(waitMs) ? Math.ceil(waitMs) : undefined;
    await step(record, now);
    return 0;
  });
}
