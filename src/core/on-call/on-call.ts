import { z } from 'zod';
import { key } from '../../platform/redis/key.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { createOneRecord, type OneKind, type OneRecord } from '../records/one-record.ts';
import { type Step, stepSchema } from './escalation.ts';
import { clockAt, findZone } from '../../platform/time/zoned-time.ts';
import { nextMoment } from '../../platform/time/clock-words.ts';
import { matcherOf } from '../instances/filter.ts';

/** What breaks quiet hours by its kind: alerts of a critical balance, and instances that are deleted, paused or in error. */
export const BREAKING = ['critical', 'errors'] as const;

const timeSchema = z.object({ hour: z.int().min(0).max(23), minute: z.int().min(0).max(59) });

/** When a channel hears only of what can't wait, every day by the clock of a zone. */
const quietSchema = z.object({
  from: timeSchema,
  until: timeSchema,
  /** An IANA name. */
  zone: z.string().refine((name) => findZone(name) !== undefined),
  /** Kinds, and names of instances as people type them: `prod-*`. */
  breaks: z.array(z.string()),
});
export type Quiet = z.infer<typeof quietSchema>;

/** What may break them, as it is kept: a kind in any spelling by its word, anything else as a name of instances. Pure. */
export function breakingOf(word: string): string {
  const lower = word.toLowerCase();
  if (/^errors?$/.test(lower)) return 'errors';
  return lower === 'critical' ? lower : word;
}

/** Whether they would never end. Pure. */
export function isWholeDay({ from, until }: Pick<Quiet, 'from' | 'until'>): boolean {
  return from.hour === until.hour && from.minute === until.minute;
}

/** When the quiet hours end that it is in, Unix ms; undefined outside of them. Pure. */
export function quietUntil({ from, until, zone }: Quiet, at: number): number | undefined {
  const clock = clockAt(at, zone);
  const minuteOf = ({ hour, minute }: { readonly hour: number; readonly minute: number }): number =>
    hour * 60 + minute;
  const [now, first, last] = [minuteOf(clock), minuteOf(from), minuteOf(until)];
  const isIn = first < last ? first <= now && now < last : first <= now || now < last;
  return isIn ? nextMoment(until, zone, at) : undefined;
}

/** Whether an alert of this kind breaks them. Pure. */
export function breaksByKind({ breaks }: Quiet, kind: (typeof BREAKING)[number]): boolean {
  return breaks.includes(kind);
}

/** Whether what happens to an instance breaks them. `isGrave`: it is deleted, paused or in error. Pure. */
export function breaksFor(
  quiet: Quiet,
  { id, name }: { readonly id: string; readonly name: string },
  isGrave: boolean,
): boolean {
  if (isGrave && breaksByKind(quiet, 'errors')) return true;
  return quiet.breaks.some(
    (one) => !isKind(one) && (one === id || matcherOf(one.replace(/^name:/i, ''))(name)),
  );
}

/** Whether it is a kind, and no name of instances. Pure. */
export function isKind(word: string): boolean {
  return BREAKING.some((kind) => kind === word);
}

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
