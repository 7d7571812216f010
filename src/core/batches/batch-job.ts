import { newBoard } from '../boards/board.ts';
import { type BoardStore, BOARDS } from '../boards/board-store.ts';
import type { BatchHeaders } from '../boards/board-job.ts';
import { BATCH_JOB, type Operations } from '../operations/operations.ts';
import type { PastStore } from '../operations/past.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import {
  announced,
  type Batch,
  closed,
  ended,
  isFailing,
  type Item,
  itemsIn,
  leftOut,
  mentionedAtEndOf,
  nextBegun,
  shown,
  takenUp,
  withEnds,
} from './batch.ts';
import type { Traces } from '../../platform/traces/traces.ts';
import type { Threads } from '../threads/threads.ts';
import type { BatchStore } from './batch-store.ts';
import { type Batches, takeBack } from './batches.ts';
import { beginChild } from './begin-child.ts';
import { headerOf, rowAhead } from './card.ts';
import type { Span } from '../../platform/traces/span.ts';
import { operationSpan, referenceOf, requestOf, requestSpan } from '../operations/spans.ts';
import type { SeveralWords } from './words.ts';
import type { Base } from '../base.ts';

export interface BatchJobDeps extends Pick<Base, 'clock' | 'queue' | 'timings'> {
  readonly batchStore: BatchStore;
  readonly batches: Batches;
  readonly boardStore: BoardStore;
  readonly operations: Operations;
  readonly past: PastStore;
  /** How a kind of operation speaks of several; undefined for one that this version doesn't know. */
  readonly wordsOf: (kind: string) => SeveralWords | undefined;
}

/** A batch that this process has must be seen to be at work, or another goes on with it. */
const SWEEPS_UNTIL_GONE = 3;
/** A kind that this version does not know is left to a process that does, as during a deployment. */
const UNKNOWN_KIND_REST_MS = 60_000;

/**
 * The job of one batch: sets the rows of its board, begins as many operations as may run at once, and tells the end. It is
 * woken by each end. The record decides each step: what it says was begun is begun, however often the job runs.
 */
export function createBatchJob(deps: BatchJobDeps): JobHandler {
  const { batchStore, clock, timings, wordsOf } = deps;
  return async (id, signal) => {
    const restMs = SWEEPS_UNTIL_GONE * timings.sweepEveryMs;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const batch = isFirst
        ? await batchStore.change(id, (one) => takenUp(one, clock.now(), clock.now() + restMs))
        : await batchStore.find(id);
      if (!batch) return afterClosing(deps, id);
      if (batch.closedAt !== undefined) return undefined;
      const words = wordsOf(batch.kind);
      if (!words) return UNKNOWN_KIND_REST_MS;
      if (!(await takeStep(deps, batch, words))) return restMs;
    }
    return undefined;
  };
}

/** What a batch hears of its board. */
export function createBatchHeaders({
  batchStore,
  batches,
  queue,
  clock,
  threads,
  traces,
}: Pick<BatchJobDeps, 'batchStore' | 'batches' | 'queue' | 'clock'> & {
  readonly threads: Pick<Threads, 'add'>;
  readonly traces: Pick<Traces, 'add'>;
}): BatchHeaders {
  const wake = (id: string): Promise<void> => queue.wake(BATCH_JOB, id).catch(() => undefined);
  return {
    shown: async (id, { channelId, ts }) => {
      const batch = await batchStore.find(id);
      if (!batch || batch.card) return;
      const thread = { channelId, ts: batch.place.threadTs ?? ts };
      await threads.add(
        thread,
        batch.items.map(({ subject }) => subject),
      );
      if (await batchStore.change(id, (one) => shown(one, { channelId, ts }))) await wake(id);
    },
    notShown: async (id) => {
      await batches.stop(id, { why: 'not-shown', at: clock.now() });
    },
    reported: async (id) => {
      const after = await batchStore.change(id, (batch) => closed(batch, clock.now()));
      if (after) traces.add(spansOfBatch(after));
    },
  };
}

/** Takes the next step. Tells whether there may be another at once. */
async function takeStep(deps: BatchJobDeps, batch: Batch, words: SeveralWords): Promise<boolean> {
  const { batchStore, batches, operations, clock, timings } = deps;
  const { id } = batch;
  if (!batch.isAnnounced) {
    await announce(deps, batch, words);
    await batchStore.change(id, announced);
    return true;
  }
  if (batch.endedAt !== undefined) {
    await setRows(deps, id, itemsIn(batch, 'left'), batch.stopped?.at ?? batch.endedAt);
    await setHeader(deps, batch, words);
    return false;
  }
  if (!batch.card && !batch.stopped && clock.now() - batch.requestedAt > timings.acceptWithinMs)
    return (await batches.stop(id, { why: 'not-shown', at: clock.now() })) !== undefined;
  if (isFailing(batch)) return (await batches.stop(id, { why: 'failures', at: clock.now() })) !== undefined;
  // The process that stopped it may be gone before this was done.
  if (batch.stopped) {
    await takeBack(operations, batch);
    await setRows(deps, id, itemsIn(batch, 'left'), batch.stopped.at);
  }
  if (await followBegun(deps, batch, words)) return true;
  if (await batchStore.change(id, nextBegun)) return true;
  if (await batchStore.change(id, (now) => ended(now, clock.now()))) return true;
  await setHeader(deps, batch, words);
  return false;
}

/** Takes in what has ended of what was begun, and begins what is not written down yet. Tells whether anything moved. */
async function followBegun(deps: BatchJobDeps, batch: Batch, words: SeveralWords): Promise<boolean> {
  const { batchStore, operations } = deps;
  const begun = itemsIn(batch, 'begun');
  const found = await Promise.all(begun.map(({ operationId }) => operations.find(operationId)));
  const known = found.flatMap((one) => (one ? [one] : []));
  const isMoved = await batchStore.change(batch.id, (now) => withEnds(now, known));
  const missing = begun.filter((_, at) => found[at] === undefined);
  const left = await Promise.all(
    missing.map(async (item) => {
      const why = await beginChild(deps, batch, item, words);
      return why && batchStore.change(batch.id, (now) => leftOut(now, item.operationId, why.why));
    }),
  );
  return isMoved !== undefined || left.some((one) => one !== undefined);
}

/** Opens its board, with a row for each instance, before anything begins. */
async function announce(deps: BatchJobDeps, batch: Batch, words: SeveralWords): Promise<void> {
  const { boardStore } = deps;
  const { id, place, actor, requestedAt, items } = batch;
  await boardStore.create(id, newBoard(id, place, requestedAt, actor.userId));
  await setRows(deps, id, items, requestedAt);
  await setHeader(deps, batch, words);
}

async function setRows(
  { boardStore }: BatchJobDeps,
  batchId: string,
  items: readonly Item[],
  at: number,
): Promise<void> {
  await Promise.all(
    items.map((item) => boardStore.setRow(batchId, item.operationId, rowAhead(item, at), true)),
  );
}

/** What stands over the rows; the header is the board's row of the batch itself. */
async function setHeader(
  { boardStore, queue, timings }: BatchJobDeps,
  batch: Batch,
  words: SeveralWords,
): Promise<void> {
  const mentioned = mentionedAtEndOf(batch, timings.mentionAfterMs);
  await boardStore.setRow(batch.id, batch.id, headerOf(batch, words, mentioned), true);
  // Woken whether or not it was: the rows before it may have been set by a process that is gone.
  await queue.wake(BOARDS.job, batch.id).catch(() => undefined);
}

/** One that is closed says on its card who asked for what after it. */
async function afterClosing(deps: BatchJobDeps, id: string): Promise<undefined> {
  const batch = await deps.batchStore.find(id);
  const words = batch && deps.wordsOf(batch.kind);
  if (batch && words) await setHeader(deps, batch, words);
  return undefined;
}

/** A batch that is closed, and what asked for it; its operations tell their own. One of a schedule was asked for by nobody. Pure. */
function spansOfBatch({
  id,
  kind,
  askedAt,
  requestedAt,
  endedAt = requestedAt,
  items,
}: Batch): readonly Span[] {
  const isAsked = askedAt !== undefined;
  return [
    ...(isAsked ? [requestOf({ id, route: kind, from: askedAt, to: requestedAt })] : []),
    {
      trace: id,
      id: operationSpan(id),
      under: isAsked ? requestSpan(id) : undefined,
      name: `batch ${kind}`,
      kind: 'does',
      from: requestedAt,
      to: endedAt,
      attributes: { ...referenceOf(id), 'lamplighter.batch.size': items.length },
    },
  ];
}
