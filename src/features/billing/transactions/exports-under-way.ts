import { z } from 'zod';
import { idOf } from '../../../platform/id.ts';
import type { RedisConnection } from '../../../platform/redis/connection.ts';
import type { Message } from '../../../platform/slack/message.ts';
import type { Said } from '../../../core/outbox/outbox.ts';
import { createOneRecord, type OneRecord } from '../../../core/records/one-record.ts';
import type { Timings } from '../../../core/timings.ts';
import { billingKeys } from '../keys.ts';

/** A file that is being read for somebody. Times are Unix ms. */
const exportSchema = z.object({
  requestId: z.string(),
  userId: z.string(),
  startedAt: z.number(),
  /** The process that reads said then that it is still at it. */
  beatAt: z.number(),
  rows: z.int(),
});
export type Export = z.infer<typeof exportSchema>;

const recordSchema = z.object({ exports: z.array(exportSchema) });
export type Exports = z.infer<typeof recordSchema>;

export type ExportStore = OneRecord<Exports>;

const SILENT_LOCKS = 5;

/** A process that reads a file and wasn't heard of for so long (ms) is gone: its jobs are long somebody else's. Pure. */
export function silentAfterMs({ jobLockMs }: Pick<Timings, 'jobLockMs'>): number {
  return SILENT_LOCKS * jobLockMs;
}

/** Every file that is being read, for all processes: a few at any time. */
export function createExportStore(redis: RedisConnection): ExportStore {
  return createOneRecord<Exports>(redis, {
    key: billingKeys.exports,
    schema: recordSchema,
    none: { exports: [] },
  });
}

/** Another file of the person that somebody is still at; who was not heard of since `aliveSince` is not. */
export function otherOf(
  { exports }: Exports,
  { requestId, userId }: Pick<Export, 'requestId' | 'userId'>,
  aliveSince: number,
): Export | undefined {
  return exports.find(
    (one) => one.userId === userId && one.requestId !== requestId && one.beatAt >= aliveSince,
  );
}

/** With an export as it is now: begun, begun again after a crash, or read further, also by a process that was taken for gone. */
export function withExport(record: Exports, one: Export): Exports {
  const before = record.exports.find(({ requestId }) => requestId === one.requestId);
  const startedAt = before?.startedAt ?? one.startedAt;
  const others = without(record, one.requestId);
  return { ...others, exports: [...others.exports, { ...one, startedAt }] };
}

/** Without the export of a request. */
export function without({ exports, ...record }: Exports, requestId: string): Exports {
  return { ...record, exports: exports.filter((one) => one.requestId !== requestId) };
}

/** The one message about it shows this from now on, where it stands. */
export function saysOf(requestId: string, content: Message): Said {
  return { id: postIdOf(requestId), content, isEdit: true };
}

/** The same, and it stands from now on: in the direct messages that the file comes to, or nowhere. */
export function showsIn(channelId: string, requestId: string, content: Message): readonly Said[] {
  const message = { id: postIdOf(requestId), to: { channelId }, content, isForPlaceAlone: true as const };
  return [message, saysOf(requestId, content)];
}

function postIdOf(requestId: string): string {
  return idOf(`export ${requestId}`);
}
