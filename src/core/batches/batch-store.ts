import type { Entry } from '../audit/entry.ts';
import { requestKeys } from '../ask/ask.ts';
import { type Commit, commit, together, forgetRequest, remove, set } from '../records/commit.ts';
import { absent, NONE, there } from '../records/conditions.ts';
import { createRecords, type RecordKind, type Records, writesOf } from '../records/records.ts';
import type { Woken } from '../records/job.ts';
import { BATCH_JOB } from '../operations/operations.ts';
import { offerKey, usingUp } from '../offers/offers.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { type Batch, batchSchema } from './batch.ts';
import { key } from '../../platform/redis/key.ts';
import { ONCE_AFTER, type Preview, PREVIEWS } from './preview.ts';

/** What is used up by the beginning of a batch. */
export interface Brought {
  /** What was shown and confirmed. */
  readonly previewId?: string;
  /** The batch after which this one is asked for. */
  readonly follows?: Preview['follows'];
  /** What is written with it. */
  readonly also?: Commit<'full'>;
}

export type BatchBegun =
  | { readonly result: 'begun' }
  /** What was shown was confirmed before, or the button was pressed before. */
  | { readonly result: 'used'; readonly batchId: string }
  /** What was shown is no longer there. */
  | { readonly result: 'unconfirmed' }
  /** There is no room for what is to be written with it. */
  | { readonly result: 'full' }
  /** The request is no longer open: answered, revoked or expired. */
  | { readonly result: 'gone' };

export interface BatchStore extends Pick<Records<Batch>, 'find' | 'listOpen' | 'listDue'> {
  /** Turns the request of the same id into `batch`, with the entry that records it. */
  begin(batch: Batch, brought: Brought, entry: Entry): Promise<BatchBegun>;
  /**
   * Moves a batch by a pure step, again from the start whenever somebody else moved it meanwhile. `entry` records it. An
   * operation of an item that is left by the step can't begin any more. Undefined where the step did not apply.
   */
  change(
    batchId: string,
    step: (batch: Batch) => Batch | undefined,
    entry?: Entry,
  ): Promise<Batch | undefined>;
  /** The part of a commit that moves a batch by a pure step that leaves and ends nothing; undefined where the step did not apply. */
  moving(batchId: string, step: (batch: Batch) => Batch | undefined): Promise<Commit<'moved'> | undefined>;
}

const KEPT_MS = 7 * 24 * 3_600_000;
/** Longer than any batch runs. */
const REQUESTS_KEPT_MS = 24 * 3_600_000;

/** `dueAt`: when somebody else is to go on with one. */
export const BATCHES: RecordKind<Batch> & Woken = {
  job: BATCH_JOB,
  keyOf: (batchId) => key('batch', batchId),
  index: key('batches', 'open'),
  schema: batchSchema,
  dueAt: ({ closedAt, nextAt }) => (closedAt === undefined ? nextAt : 'closed'),
  keptMs: KEPT_MS,
};

export function createBatchStore(redis: RedisConnection): BatchStore {
  const records = createRecords(redis, BATCHES);
  return {
    ...records,
    begin: async (batch, brought, entry) => {
      const { id } = batch;
      const use = usingUp(broughtKeys(brought), id, KEPT_MS);
      const own: Commit<'begun' | 'gone' | 'unconfirmed' | 'used'> = {
        if: [
          absent(BATCHES.keyOf(id), 'begun'),
          there(requestKeys.request(id), 'gone'),
          ...(brought.previewId === undefined
            ? []
            : [there(offerKey(PREVIEWS, brought.previewId), 'unconfirmed')]),
          ...use.if,
        ],
        write: [
          ...use.write,
          ...writesOf(BATCHES, id, NONE, batch),
          // Without its request an operation can't begin, which is how a batch is stopped.
          ...batch.items.map(({ operationId }) =>
            set(requestKeys.request(operationId), id, REQUESTS_KEPT_MS),
          ),
          ...forgetRequest(id),
        ],
        audit: entry,
        // Its schedule is moved on next, by who knows that it was begun.
        survives: true,
      };
      const all = together<'begun' | 'gone' | 'unconfirmed' | 'used' | 'full'>(own, brought.also ?? {});
      const begun = await commit(redis, all);
      if (begun.result === 'full') return { result: 'full' };
      if (begun.result === 'used') return { result: 'used', batchId: begun.found };
      if (begun.result === 'gone' || begun.result === 'unconfirmed') return { result: begun.result };
      // By an earlier run of the same request, which is over with it.
      if (begun.result === 'begun') await commit(redis, { write: forgetRequest(id) });
      return { result: 'begun' };
    },
    change: (batchId, move, entry) =>
      records.change(batchId, move, (next, before) => ({
        write: newlyLeft(before, next).map(remove),
        audit: entry,
        // Its card forgets it then.
        survives: next.closedAt !== undefined,
      })),
    moving: (batchId, step) => records.moving(batchId, step),
  };
}

/** What is used up, of what is brought: what was shown, and what can be asked for once after another batch. */
function broughtKeys({ previewId, follows }: Brought): readonly string[] {
  return [
    ...(previewId === undefined ? [] : [offerKey(PREVIEWS, previewId)]),
    ...(follows && follows.what !== 'again' ? [offerKey(ONCE_AFTER[follows.what], follows.batchId)] : []),
  ];
}

/**
 * Requests of operations that are not to begin from this step on. Those that were about to are among them where the batch
 * is stopped: one that has begun has used its request up.
 */
function newlyLeft(before: Batch, after: Batch): string[] {
  const isStopped = after.stopped !== undefined && before.stopped === undefined;
  return after.items
    .filter(({ state }, at) => {
      if (state === 'left') return before.items[at]?.state !== 'left';
      return isStopped && state === 'begun';
    })
    .map(({ operationId }) => requestKeys.request(operationId));
}
