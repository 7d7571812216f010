import type { Entry } from '../audit/entry.ts';
import type { Operations } from '../operations/operations.ts';
import { BATCH_JOB } from '../operations/operations.ts';
import { together } from '../records/commit.ts';
import { type Actor, isDirect } from '../../platform/slack/ids.ts';
import { type Batch, followed, itemsIn, type NewBatch, newBatch, stopped, passedOn } from './batch.ts';
import type { BatchBegun, BatchStore, Brought } from './batch-store.ts';
import { ownerOf } from '../operations/operation.ts';
import { movingEach, type OwnedSource } from '../policy/owned.ts';
import { say } from '../../platform/slack/phrase.ts';
import { countOf } from './card.ts';
import type { SeveralWords } from './words.ts';
import type { Base } from '../base.ts';

/** The only door to batches. */
export interface Batches {
  /** Writes a batch down in place of the request of the same id, with the entry that records it, and wakes its job. */
  begin(begin: NewBatch, brought: Brought, entry: Entry): Promise<BatchBegun>;
  find(batchId: string): Promise<Batch | undefined>;
  /**
   * Begins nothing more of a batch, and ends what no call has left for. When this resolves, no call leaves any more. Gives
   * the batch; undefined where there is nothing left to stop.
   */
  stop(batchId: string, how: NonNullable<Batch['stopped']>, entry?: Entry): Promise<Batch | undefined>;
  /** The part of a commit that moves one by a step that leaves and ends nothing, and wakes its job; undefined where the step did not apply. */
  moving: BatchStore['moving'];
  /** All that are not closed. */
  listOpen: BatchStore['listOpen'];
  /** Its card says who asked for what after it. */
  showFollowed(follows: NonNullable<Brought['follows']>, actor: Actor): Promise<void>;
}

export function createBatches({
  batchStore,
  queue,
  clock,
  operations,
}: Pick<Base, 'clock' | 'queue'> & {
  readonly batchStore: BatchStore;
  readonly operations: Pick<Operations, 'takeBack'>;
}): Batches {
  // What could not be woken is found by the sweep.
  const wake = (id: string): Promise<void> => queue.wake(BATCH_JOB, id).catch(() => undefined);
  return {
    begin: async (begin, brought, entry) => {
      const begun = await batchStore.begin(newBatch(begin, clock.now()), brought, entry);
      if (begun.result === 'begun') await wake(begin.id);
      return begun;
    },
    find: batchStore.find,
    listOpen: batchStore.listOpen,
    moving: async (batchId, step) => {
      const part = await batchStore.moving(batchId, step);
      return part && together<'moved'>(part, { wake: () => wake(batchId) });
    },
    stop: async (batchId, how, entry) => {
      const after = await batchStore.change(batchId, (batch) => stopped(batch, how), entry);
      if (!after) return undefined;
      await takeBack(operations, after);
      await wake(batchId);
      return after;
    },
    showFollowed: async ({ what, batchId }, { userId }) => {
      const now = clock.now();
      if (await batchStore.change(batchId, (batch) => followed(batch, what, userId, now)))
        await wake(batchId);
    },
  };
}

/** Ends the operations of a stopped batch for which no call has left. */
export async function takeBack(operations: Pick<Operations, 'takeBack'>, batch: Batch): Promise<void> {
  await Promise.all(
    itemsIn(batch, 'begun').map(({ operationId }) => operations.takeBack(operationId, batch.stopped?.by)),
  );
}

/** The batches under way that are somebody's: they hear of the end. */
export function ownedBatches({
  batches,
  wordsOf,
}: {
  readonly batches: Pick<Batches, 'listOpen' | 'moving'>;
  readonly wordsOf: (kind: string) => SeveralWords | undefined;
}): OwnedSource {
  return {
    name: 'batch',
    list: async (userId) => {
      const open = await batches.listOpen();
      return open
        .filter((one) => one.endedAt === undefined && ownerOf(one) === userId)
        .map((one) => ({
          id: one.id,
          line: say`${wordsOf(one.kind)?.doing ?? 'Changing'} ${countOf(one)}.`,
          needs: {
            permission: 'instances:read',
            of: one.items.map(({ subject }) => subject),
            in: one.place.channelId,
          },
          ...(isDirect(one.place.channelId)
            ? { stays: say`Its card is in direct messages, where nobody else reads how it ends.` }
            : {}),
        }));
    },
    moving: (ids, { from, to }) =>
      movingEach(ids, (id) => batches.moving(id, (one) => passedOn(one, from, to))),
  };
}
