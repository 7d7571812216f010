import { z } from 'zod';
import {
  type OutboxMessage,
  outboxMessageSchema,
  newOutboxMessage,
} from '../../../core/outbox/outbox-message.ts';
import { idOf } from '../../../platform/id.ts';
import type { RedisConnection } from '../../../platform/redis/connection.ts';
import { billingKeys } from '../keys.ts';
import { createOneRecord, type OneRecord } from '../../../core/records/one-record.ts';
import { type Message, messageSchema } from '../../../platform/slack/message.ts';

/** A file that is being read for somebody, and the one message that tells them how far it is. Times are Unix ms. */
const kept: z.ZodType<Message> = messageSchema;
const exportSchema = z.object({
  requestId: z.string(),
  userId: z.string(),
  startedAt: z.number(),
  /** The process that reads said then that it is still at it. */
  beatAt: z.number(),
  rows: z.int(),
  /** The message, in the person's direct messages; none while it may all be through in a moment. */
  notice: z.object({ channelId: z.string(), at: z.number(), message: outboxMessageSchema }).optional(),
  /** What the message says for good, once there is nothing more to come. */
  last: kept.optional(),
});
export type Export = z.infer<typeof exportSchema>;

const recordSchema = z.object({ schema: z.literal(1), exports: z.array(exportSchema) });
export type Exports = z.infer<typeof recordSchema>;

export type ExportStore = OneRecord<Exports>;

/** Every file that is being read, for all processes: a few at any time. */
export function createExportStore(redis: RedisConnection): ExportStore {
  return createOneRecord<Exports>(redis, {
    key: billingKeys.exports,
    schema: recordSchema,
    none: { schema: 1, exports: [] },
  });
}

/** The export of a request; undefined where there is none. */
export function findExport({ exports }: Exports, requestId: string): Export | undefined {
  return exports.find((one) => one.requestId === requestId);
}

/** Another file of the person that somebody is still at; who was not heard of since `aliveSince` is not. */
export function otherOf(
  { exports }: Exports,
  { requestId, userId }: Pick<Export, 'requestId' | 'userId'>,
  aliveSince: number,
): Export | undefined {
  return exports.find(
    (one) =>
      one.userId === userId &&
      one.requestId !== requestId &&
      one.last === undefined &&
      one.beatAt >= aliveSince,
  );
}

/** With the export of a request begun, or begun again after a crash: then its message goes on. */
export function begun(
  record: Exports,
  { requestId, userId }: Pick<Export, 'requestId' | 'userId'>,
  now: number,
): Exports {
  const { startedAt = now, notice } = findExport(record, requestId) ?? {};
  const mine = { requestId, userId, startedAt, beatAt: now, rows: 0, notice };
  return withExport(record, requestId, () => mine, [mine]);
}

/** With so many rows read. A process that was taken for gone, and wasn't, is at it again. */
export function beaten(record: Exports, requestId: string, rows: number, now: number): Exports {
  return withExport(record, requestId, (one) => {
    const { last: _, ...rest } = one;
    return { ...rest, rows, beatAt: now };
  });
}

/** With a message in the person's direct messages from now on. */
export function shown(record: Exports, requestId: string, channelId: string, now: number): Exports {
  const notice = { channelId, at: now, message: newOutboxMessage(idOf(`export ${requestId}`), now) };
  return withExport(record, requestId, (one) => ({ ...one, notice: one.notice ?? notice }));
}

/** With the last words of its message; without a message it is over. */
export function ended(record: Exports, requestId: string, last: Message): Exports {
  const isShown = findExport(record, requestId)?.notice !== undefined;
  return isShown ? withExport(record, requestId, (one) => ({ ...one, last })) : without(record, requestId);
}

/** With its message moved; undefined where there is none or the move doesn't apply. */
export function delivered(
  record: Exports,
  requestId: string,
  move: (message: OutboxMessage) => OutboxMessage | undefined,
): Exports | undefined {
  const { notice } = findExport(record, requestId) ?? {};
  const message = notice && move(notice.message);
  if (!message) return undefined;
  return withExport(record, requestId, (one) => ({ ...one, notice: { ...notice, message } }));
}

/** Without the export of a request. */
export function without({ exports, ...record }: Exports, requestId: string): Exports {
  return { ...record, exports: exports.filter((one) => one.requestId !== requestId) };
}

function withExport(
  { exports, ...record }: Exports,
  requestId: string,
  move: (one: Export) => Export,
  added: readonly Export[] = [],
): Exports {
  const isThere = exports.some((one) => one.requestId === requestId);
  const moved = exports.map((one) => (one.requestId === requestId ? move(one) : one));
  return { ...record, exports: isThere ? moved : [...moved, ...added] };
}
