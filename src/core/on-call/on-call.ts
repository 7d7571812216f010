import { z } from 'zod';
import { key } from '../../platform/redis/key.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { createOneRecord, type OneKind, type OneRecord } from '../records/one-record.ts';
import { type Step, stepSchema } from './escalation.ts';
import { type Quiet, quietSchema } from './quiet.ts';

/** What a channel has: who hears of what nobody in it is on, and when it is left in peace. */
const channelOnCallSchema = z.object({
  steps: z.array(stepSchema).optional(),
  quiet: quietSchema.optional(),
});
export type ChannelOnCall = z.infer<typeof channelOnCallSchema>;

const onCallSchema = z.object({ channels: z.record(z.string(), channelOnCallSchema) });
export type OnCallRecord = z.infer<typeof onCallSchema>;

/** Who is told, and when, for each channel. */
const ON_CALL: OneKind<OnCallRecord> = {
  key: key('on-call'),
  schema: onCallSchema,
  none: { channels: {} },
};

/** Who is on call, by channel. */
export interface OnCall {
  /** What counts in a channel: what the policy file says of it stands above what was set in Slack. Throws what Redis throws. */
  of(channelId: string): Promise<ChannelOnCall>;
  /** What the policy file says of a channel; undefined for nothing. */
  fixed(channelId: string): ChannelOnCall | undefined;
  readonly store: OneRecord<OnCallRecord>;
}

/** `fixed`: what the policy file says by now, by the channel's id. */
export function createOnCall(
  redis: RedisConnection,
  fixed: () => Readonly<Record<string, ChannelOnCall>>,
): OnCall {
  const store = createOneRecord(redis, ON_CALL);
  const fixedOf = (channelId: string): ChannelOnCall | undefined => fixed()[channelId];
  return {
    store,
    fixed: fixedOf,
    of: async (channelId) => ({ ...(await store.get()).channels[channelId], ...fixedOf(channelId) }),
  };
}

/** The record with something else for a channel; what is undefined is taken away. Pure. */
export function withChannel(
  record: OnCallRecord,
  channelId: string,
  { steps, quiet }: { readonly steps: Step[] | undefined; readonly quiet: Quiet | undefined },
): OnCallRecord {
  const { [channelId]: _, ...others } = record.channels;
  const one = { ...(steps ? { steps } : {}), ...(quiet ? { quiet } : {}) };
  return { channels: Object.keys(one).length > 0 ? { ...others, [channelId]: one } : others };
}
