import { createDeliver } from '../../../core/outbox/deliver.ts';
import type { DeliverDeps, MessageSource } from '../../../core/outbox/message-source.ts';
import { type OutboxStep, lastStep, nextStep, stepDueAt } from '../../../core/outbox/outbox-message.ts';
import { contentHash } from '../../../core/outbox/content-hash.ts';
import type { WorkQueue } from '../../../platform/queue/queue.ts';
import type { JobHandler } from '../../../platform/queue/run-job.ts';
import type { Message } from '../../../platform/slack/message.ts';
import type { Timings } from '../../../core/timings.ts';
import { readingMessage, stoppedMessage } from './export-messages.ts';
import {
  delivered,
  ended,
  type Export,
  type Exports,
  type ExportStore,
  findExport,
  without,
} from './exports-under-way.ts';
import type { Sweep } from '../../../core/sweep.ts';
import { billingKeys } from '../keys.ts';

export interface TellExportDeps extends DeliverDeps {
  readonly exports: ExportStore;
}

export const EXPORT_JOB = 'billing.export';

/**
 * Keeps the message about one file as it is: how far it is read, and in the end how it ended. Where the process that read it is
 * gone, it says so, so that none says "Reading" permanently.
 */
export function createTellExport(deps: TellExportDeps): JobHandler {
  const { exports, clock, timings } = deps;
  const deliver = createDeliver(deps);
  return async (requestId, signal) => {
    while (!signal.aborted) {
      const record = await exports.get();
      const one = findExport(record, requestId);
      if (!one) return undefined;
      const { step, dueAt } = nextOf(one, timings);
      const waitMs = dueAt - clock.now();
      if (waitMs > 0) return Math.ceil(waitMs);
      if (step === 'post' || step === 'find' || step === 'edit' || step === 'dedupe')
        await deliver(sourceOf(exports, requestId), record, step);
      else if (step === 'forget') await exports.change((now) => without(now, requestId));
      else await exports.change((now) => givenUp(now, one));
    }
    return undefined;
  };
}

/** Puts the job back where it is overdue, however it was lost. */
export function createExportSweep(deps: {
  exports: ExportStore;
  queue: WorkQueue;
  clock: { now: () => number };
  timings: Timings;
}): Sweep {
  const { exports, queue, clock, timings } = deps;
  return {
    keys: [billingKeys.exports],
    run: async () => {
      const record = await exports.get();
      const before = clock.now() - timings.sweepEveryMs;
      for (const one of record.exports)
        if (nextOf(one, timings).dueAt < before) await queue.ensure(EXPORT_JOB, one.requestId);
    },
  };
}

/** What is to be done next, and when: a step of the message, or what comes once nothing is left to tell. */
function nextOf(one: Export, timings: Timings): { step: OutboxStep | 'forget' | 'give up'; dueAt: number } {
  const { notice, last, beatAt } = one;
  const contentKey = contentHash(contentOf(one));
  const step = notice && (nextStep(notice.message, contentKey) ?? (last && lastStep(notice.message)));
  const giveUpAt = beatAt + timings.exportSilentMs;
  if (notice && step) {
    const dueAt = stepDueAt(notice.message, step, contentKey, timings);
    return last || dueAt < giveUpAt ? { step, dueAt } : { step: 'give up', dueAt: giveUpAt };
  }
  return last ? { step: 'forget', dueAt: 0 } : { step: 'give up', dueAt: giveUpAt };
}

/** With the last words of an export that nobody is at any more; as it is where somebody was heard of since. */
function givenUp(record: Exports, { requestId, beatAt, rows }: Export): Exports | undefined {
  const one = findExport(record, requestId);
  return one?.beatAt === beatAt && !one.last ? ended(record, requestId, stoppedMessage(rows)) : undefined;
}

function contentOf({ last, rows }: Export): Message {
  return last ?? readingMessage(rows);
}

function sourceOf(exports: ExportStore, requestId: string): MessageSource<Exports> {
  const getFrom = (record: Exports): Export & { notice: NonNullable<Export['notice']> } => {
    const one = findExport(record, requestId);
    if (!one?.notice) throw new Error(`no message about the export ${requestId}`);
    return { ...one, notice: one.notice };
  };
  return {
    of: { request: requestId },
    name: 'progress of a file',
    messageOf: (record) => getFrom(record).notice.message,
    contentOf: (record) => contentOf(getFrom(record)),
    contentKeyOf: (record) => contentHash(contentOf(getFrom(record))),
    addressOf: (record) => ({ channelId: getFrom(record).notice.channelId }),
    sinceOf: (record) => getFrom(record).notice.at,
    fallbacksOf: () => [],
    isBetterTwice: false,
    change: (move) =>
      exports.change((record) => delivered(record, requestId, (message) => move(message, record))),
  };
}
