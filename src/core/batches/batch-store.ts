import { type Audit, loadAudited } from '../audit/audit.ts';
import type { Entry } from '../audit/entry.ts';
import { requestKeys } from '../ask/keys.ts';
import { createIndexedRecords, INDEXED_RECORD, OPEN_KEPT_MS } from '../../platform/redis/indexed-records.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { type Batch, batchSchema } from './batch.ts';
import { batchKeys, type OnceAfter } from './keys.ts';
import type { Preview } from './preview.ts';

/** What is used up by the beginning of a batch. */
export interface Brought {
  /** What was shown and confirmed. */
  readonly previewId?: string;
  /** The batch after which this one is asked for. */
  readonly follows?: Preview['follows'];
}

export type BatchBegun =
  | { readonly result: 'begun' }
  /** What was shown was confirmed before, or the button was pressed before. */
  | { readonly result: 'used'; readonly batchId: string }
  /** What was shown is no longer there. */
  | { readonly result: 'unconfirmed' }
  /** The request is no longer open: answered, revoked or expired. */
  | { readonly result: 'gone' };

export interface BatchStore {
  /** Turns the request of the same id into `batch`, with the entry that records it. */
  begin(batch: Batch, brought: Brought, entry: Entry): Promise<BatchBegun>;
  find(batchId: string): Promise<Batch | undefined>;
  /**
   * Moves a batch by a pure step, again from the start whenever somebody else moved it meanwhile. `entry` records it. An
   * operation of an item that is left by the step can't begin any more. Undefined where the step did not apply.
   */
  change(
    batchId: string,
    step: (batch: Batch) => Batch | undefined,
    entry?: Entry,
  ): Promise<Batch | undefined>;
  /** By which batch this was asked for after another one, where it can be asked for once. */
  findFollowing(batchId: string, what: OnceAfter): Promise<string | undefined>;
  /** Ids of batches with which somebody should have gone on before `before`, Unix ms. */
  listDue(before: number): Promise<string[]>;
}

const KEPT_MS = 7 * 24 * 3_600_000;
/** Longer than any batch runs. */
const REQUESTS_KEPT_MS = 24 * 3_600_000;

const begin = loadAudited(INDEXED_RECORD, new URL('./begin-batch.lua', import.meta.url));
const step = loadAudited(INDEXED_RECORD, new URL('./batch-step.lua', import.meta.url));

export function createBatchStore(redis: RedisConnection, audit: Audit): BatchStore {
  const records = createIndexedRecords<Batch, Also>(redis, {
    keyOf: batchKeys.batch,
    index: batchKeys.open,
    schema: batchSchema,
    dueAt: ({ closedAt, nextAt }) => (closedAt === undefined ? nextAt : 'closed'),
    keptMs: KEPT_MS,
    swap: (keys, args, also) => {
      const requests = also?.left() ?? [];
      return audit.run(step, [...keys, ...requests], [...args, requests.length], also?.entry);
    },
  });
  return {
    begin: async (batch, { previewId, follows }, entry) => {
      const once =
        follows && follows.what !== 'again' ? batchKeys.after(follows.what, follows.batchId) : undefined;
      const requests = batch.items.map(({ operationId }) => requestKeys.request(operationId));
      const keys = [
        requestKeys.request(batch.id),
        requestKeys.open,
        batchKeys.batch(batch.id),
        batchKeys.open,
        batchKeys.preview(previewId ?? 'none'),
        once ?? batchKeys.after('retry', 'none'),
        ...requests,
      ];
      const args = [
        batch.id,
        JSON.stringify(batch),
        batch.nextAt,
        previewId === undefined ? '' : 'preview',
        once === undefined ? '' : 'once',
        KEPT_MS,
        requests.length,
        REQUESTS_KEPT_MS,
        OPEN_KEPT_MS,
      ];
      const answer = await audit.run(begin, keys, args, entry);
      const [result, batchId] = Array.isArray(answer) ? answer.map(String) : [];
      if (result === 'begun' || result === 'gone' || result === 'unconfirmed') return { result };
      if (result === 'used' && batchId !== undefined) return { result, batchId };
      throw new Error('beginning a batch: unexpected answer of the script');
    },
    find: records.find,
    change: async (batchId, move, entry) => {
      let left: string[] = [];
      const moving = (before: Batch): Batch | undefined => {
        const after = move(before);
        left = after ? newlyLeft(before, after) : [];
        return after;
      };
      return records.change(batchId, moving, { left: () => left, entry });
    },
    findFollowing: async (batchId, what) =>
      (await redis.hget(batchKeys.after(what, batchId), 'usedBy')) ?? undefined,
    listDue: records.listDue,
  };
}

/** What is written with a step of a batch. */
interface Also {
  /** The requests that it takes back. */
  readonly left: () => readonly string[];
  readonly entry: Entry | undefined;
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
