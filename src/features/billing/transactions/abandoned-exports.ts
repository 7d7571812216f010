import type { Outbox } from '../../../core/outbox/outbox.ts';
import type { Sweep } from '../../../core/sweep.ts';
import type { Timings } from '../../../core/timings.ts';
import { billingKeys } from '../keys.ts';
import { stoppedMessage } from './export-messages.ts';
import { type ExportStore, saysOf, without } from './exports-under-way.ts';

/** Says of every file whose process is gone that it stopped, so that none says "Reading" permanently. */
export function createExportSweep({
  exports,
  outbox,
  clock,
  timings,
}: {
  readonly exports: ExportStore;
  readonly outbox: Pick<Outbox, 'saying'>;
  readonly clock: { now: () => number };
  readonly timings: Timings;
}): Sweep {
  return {
    keys: [billingKeys.exports],
    run: async () => {
      const before = clock.now() - timings.exportSilentMs;
      for (const { requestId, beatAt, rows } of (await exports.get()).exports) {
        if (beatAt >= before) continue;
        const isStillSo = (one: { requestId: string; beatAt: number }): boolean =>
          one.requestId === requestId && one.beatAt === beatAt;
        await exports.change(
          (record) => (record.exports.some(isStillSo) ? without(record, requestId) : undefined),
          () => outbox.saying([saysOf(requestId, stoppedMessage(rows))], 'moved'),
        );
      }
    },
  };
}
