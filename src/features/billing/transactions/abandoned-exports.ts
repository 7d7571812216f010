import type { Outbox } from '../../../core/outbox/outbox.ts';
import { type SweptKind, sweptRecord } from '../../../core/sweep.ts';
import type { Timings } from '../../../core/timings.ts';
import type { JobHandler } from '../../../platform/queue/run-job.ts';
import { billingKeys } from '../keys.ts';
import { stoppedMessage } from './export-messages.ts';
import { type ExportStore, saysOf, silentAfterMs, without } from './exports-under-way.ts';

export const EXPORTS_JOB = 'billing.exports';
const EXPORTS_ID = 'all';

interface ExportsJobDeps {
  readonly exports: ExportStore;
  readonly outbox: Pick<Outbox, 'saying'>;
  readonly clock: { now: () => number };
  readonly timings: Pick<Timings, 'jobLockMs'>;
}

/** Says of every file whose process is gone that it stopped, so that none says "Reading" permanently. */
export function createExportsJob({ exports, outbox, clock, timings }: ExportsJobDeps): JobHandler {
  return async () => {
    const before = clock.now() - silentAfterMs(timings);
    for (const { requestId, beatAt, rows } of (await exports.get()).exports) {
      if (beatAt >= before) continue;
      const isStillSo = (one: { requestId: string; beatAt: number }): boolean =>
        one.requestId === requestId && one.beatAt === beatAt;
      await exports.change(
        (record) => (record.exports.some(isStillSo) ? without(record, requestId) : undefined),
        () => outbox.saying([saysOf(requestId, stoppedMessage(rows))], 'moved'),
      );
    }
    return undefined;
  };
}

/** Due once the first of them was not heard of for so long. */
export function sweptExports({ exports, timings }: Omit<ExportsJobDeps, 'outbox' | 'clock'>): SweptKind {
  return sweptRecord(exports, {
    job: EXPORTS_JOB,
    id: EXPORTS_ID,
    index: billingKeys.exports,
    dueAt: (record) => Math.min(...record.exports.map(({ beatAt }) => beatAt)) + silentAfterMs(timings),
    isSeldom: true,
  });
}
