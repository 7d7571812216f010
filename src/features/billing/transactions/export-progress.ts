import { Refusal } from '../../../core/refusal.ts';
import { asError } from '../../../platform/log/as-error.ts';
import type { Ask } from '../../../core/ask/ask.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Outbox, Said } from '../../../core/outbox/outbox.ts';
import type { Message } from '../../../platform/slack/message.ts';
import type { Timings } from '../../../core/timings.ts';
import { readingMessage, underWayWords } from './export-messages.ts';
import {
  type Export,
  type Exports,
  type ExportStore,
  otherOf,
  saysOf,
  silentAfterMs,
  showsIn,
  withExport,
  without,
} from './exports-under-way.ts';

export interface ExportProgressDeps {
  readonly exports: ExportStore;
  readonly outbox: Pick<Outbox, 'saying'>;
  readonly timings: Timings;
  readonly now: () => number;
  readonly log: Log;
}

/** How far one file is, written down with the message that says so. That is best effort and never fails the file. */
export interface ExportProgress {
  /** So many rows were read. `isMore`: and there are more. */
  read(rows: number, isMore: boolean): void;
  /** Nothing more comes: what the message says for good. */
  end(last: Message): Promise<void>;
}

/** How often the message changes, and after which time there is one in any case. */
const CHANGE_EVERY_MS = 3_000;

/**
 * Writes down that the file of `ask` is being read, and goes on saying so until it ends. Throws a Refusal where another of
 * the same person is under way, in whichever process.
 */
export async function beginProgress(
  { exports, outbox, timings, now, log }: ExportProgressDeps,
  { id: requestId, actor: { userId } }: Pick<Ask, 'id' | 'actor'>,
  channelId: string,
): Promise<ExportProgress> {
  const begunAt = now();
  const asOf = (rows: number): Export => ({ requestId, userId, startedAt: begunAt, beatAt: now(), rows });
  await exports.change((record) => {
    const other = otherOf(record, asOf(0), now() - silentAfterMs(timings));
    if (other) throw new Refusal('export-under-way', underWayWords(other.startedAt, other.rows));
    return withExport(record, asOf(0));
  });

  const startedAt = performance.now();
  let rows = 0;
  let isShown = false;
  let writing = Promise.resolve();
  const write = (move: (record: Exports) => Exports, says: readonly Said[]): Promise<void> => {
    writing = writing
      .then(async () => void (await exports.change(move, () => outbox.saying(says, 'moved'))))
      .catch((error: unknown) => log.limited('the progress of a file', asError(error)));
    return writing;
  };
  const beat = (): void => {
    isShown ||= performance.now() - startedAt >= CHANGE_EVERY_MS;
    const read = asOf(rows);
    const says = isShown ? showsIn(channelId, requestId, readingMessage(rows)) : [];
    void write((record) => withExport(record, read), says);
  };
  const timer = setInterval(beat, Math.min(CHANGE_EVERY_MS, silentAfterMs(timings) / 4)).unref();

  return {
    read: (count, isMore) => {
      rows = count;
      if (!isMore || isShown) return;
      isShown = true;
      beat();
    },
    end: (last) => {
      clearInterval(timer);
      return write((record) => without(record, requestId), [saysOf(requestId, last)]);
    },
  };
}
