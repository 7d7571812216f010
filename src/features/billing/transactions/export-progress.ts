import { Refusal } from '../../../core/refusal.ts';
import { asError } from '../../../platform/log/as-error.ts';
import type { Ask } from '../../../core/ask/ask.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { WorkQueue } from '../../../platform/queue/queue.ts';
import type { Message } from '../../../platform/slack/message.ts';
import type { Timings } from '../../../core/timings.ts';
import { underWayWords } from './export-messages.ts';
import { beaten, begun, ended, type Exports, type ExportStore, otherOf, shown } from './exports-under-way.ts';
import { EXPORT_JOB } from './tell-export.ts';

export interface ExportProgressDeps {
  readonly exports: ExportStore;
  readonly queue: WorkQueue;
  readonly timings: Timings;
  readonly now: () => number;
  readonly log: Log;
}

/** How far one file is, written down for the process that tells the person. Telling is best effort and never fails the file. */
export interface ExportProgress {
  /** So many rows were read. `isMore`: and there are more. */
  read(rows: number, isMore: boolean): void;
  /** Nothing more comes: what the message says for good. */
  end(last: Message): Promise<void>;
}

/** How often the message changes at most, and after which time there is one in any case. */
const CHANGE_EVERY_MS = 3_000;

/**
 * Writes down that the file of `ask` is being read, and goes on saying so until it ends. Throws a Refusal where another of
 * the same person is under way, in whichever process.
 */
export async function beginProgress(
  { exports, queue, timings, now, log }: ExportProgressDeps,
  { id: requestId, actor: { userId } }: Pick<Ask, 'id' | 'actor'>,
  channelId: string,
): Promise<ExportProgress> {
  const mine = { requestId, userId };
  await exports.change((record) => {
    const other = otherOf(record, mine, now() - timings.exportSilentMs);
    if (other) throw new Refusal('export-under-way', underWayWords(other.startedAt, other.rows));
    return begun(record, mine, now());
  });

  const startedAt = performance.now();
  let rows = 0;
  let isShown = false;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let writing = Promise.resolve();
  const write = (move: (record: Exports) => Exports): Promise<void> => {
    writing = writing
      .then(async () => {
        await exports.change(move);
        if (isShown) await queue.wake(EXPORT_JOB, requestId);
      })
      .catch((error: unknown) => log.limited('the progress of a file', asError(error)));
    return writing;
  };
  const beat = (): void => {
    isShown ||= performance.now() - startedAt >= CHANGE_EVERY_MS;
    writtenAt = performance.now();
    const [read, wasShown] = [rows, isShown];
    void write((record) => {
      const next = beaten(record, requestId, read, now());
      return wasShown ? shown(next, requestId, channelId, now()) : next;
    });
  };
  const timer = setInterval(beat, Math.min(CHANGE_EVERY_MS, timings.exportSilentMs / 4)).unref();

  return {
    read: (count, isMore) => {
      rows = count;
      const isFirst = isMore && !isShown;
      isShown ||= isMore;
      if (isFirst || performance.now() - writtenAt >= CHANGE_EVERY_MS) beat();
    },
    end: (last) => {
      clearInterval(timer);
      return write((record) => ended(record, requestId, last));
    },
  };
}
