import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { Refusal } from '../refusal.ts';
import type { With } from '../records/records.ts';
import type { OneKind, OneRecord } from '../records/one-record.ts';
import { type Freeze, freezeSchema, isFrozen, keeperOf } from './freeze.ts';
import { type Grant, grantSchema, isSameGrant } from './grant.ts';
import { isForOnce, type AccessRule } from './decide.ts';
import { key } from '../../platform/redis/key.ts';
import { usedUp } from './messages.ts';

/** Whether an account is a channel's default from then on; `at` is Redis' clock, Unix ms. */
const channelDefaultSchema = z.object({
  channelId: z.string(),
  isDefault: z.boolean(),
  by: z.string(),
  at: z.number(),
});
export type ChannelDefault = z.infer<typeof channelDefaultSchema>;

/** What people set in Slack about who may what. */
const accessSchema = z.object({
  grants: z.array(grantSchema),
  freezes: z.array(freezeSchema),
  /** Ids of people who are deactivated and hold something still, of whom the admins have been told. */
  toldLeft: z.array(z.string()).optional(),
  /** Of which change of the settings the admins have been told, by its fingerprint, and whether it can't be used. */
  toldSettings: z
    .object({
      of: z.string(),
      isFault: z.boolean(),
      /** What they were told before, and when that was over, Unix ms. */
      past: z.object({ of: z.string(), at: z.number() }).optional(),
    })
    .optional(),
  /** When the restart of what is protected was last rehearsed. Redis' clock, Unix ms. */
  rehearsedAt: z.number().optional(),
  /** In which channels the account is meant where none is named, the newest last. */
  defaults: z.array(channelDefaultSchema).optional(),
});
export type AccessRecord = z.infer<typeof accessSchema>;

export type AccessStore = OneRecord<AccessRecord>;

/** How long a grant that is over stays, so that a no can say so. */
const KEPT_OVER_MS = 7 * 24 * 3_600_000;

/** Grants and freezes, in one record. */
export const ACCESS: OneKind<AccessRecord> = {
  key: key('access'),
  schema: accessSchema,
  none: { grants: [], freezes: [] },
};

/**
 * Moves the record by a step that somebody's rights were judged for, and judges again where the record was moved meanwhile: nothing
 * is set by a role that was taken back just then. What `judge` throws is thrown, and nothing is changed.
 */
export async function changeAsJudged<Code extends string = never>(
  store: AccessStore,
  judge: (record: AccessRecord) => Promise<(record: AccessRecord) => AccessRecord>,
  also: With<AccessRecord, Code>,
): Promise<void> {
  for (;;) {
    const judged = await store.get();
    const step = await judge(judged);
    const asJudged = (record: AccessRecord): AccessRecord | undefined =>
      isDeepStrictEqual(record, judged) ? step(record) : undefined;
    if (await store.change(asJudged, also)) return;
  }
}

/** The record with a grant, in place of one for the same. Pure. */
export function granted(record: AccessRecord, grant: Grant): AccessRecord {
  const others = current(record, grant.at).grants.filter((one) => !isSameGrant(one, grant));
  return { ...record, grants: [...others, grant] };
}

/** The record with these grants taken back. Pure. */
export function revoked(
  record: AccessRecord,
  ids: readonly string[],
  by: NonNullable<Grant['revoked']>,
): AccessRecord {
  const grants = record.grants.map((one) =>
    ids.includes(one.id) && !one.revoked ? { ...one, revoked: by } : one,
  );
  return current({ ...record, grants }, by.at);
}

/** The record with a grant for once used up by an operation; undefined where another used it. Pure. */
function used(record: AccessRecord, grantId: string, operationId: string): AccessRecord | undefined {
  const mine = record.grants.find(({ id }) => id === grantId);
  if (!mine?.once || (mine.once.usedBy !== undefined && mine.once.usedBy !== operationId)) return undefined;
  const once = { ...mine.once, usedBy: operationId };
  return { ...record, grants: record.grants.map((one) => (one === mine ? { ...mine, once } : one)) };
}

/**
 * The record with whatever these rules allow once used up by an operation or a request. Throws a Refusal where another has used it.
 * Pure.
 */
export function usedUpBy(
  operationId: string,
  rules: readonly (AccessRule | undefined)[],
  record: AccessRecord,
): AccessRecord {
  return rules.reduce<AccessRecord>((now, rule) => {
    if (!isForOnce(rule)) return now;
    const next = used(now, rule.grant.id, operationId);
    if (!next) throw new Refusal('used-up', usedUp());
    return next;
  }, record);
}

/** The record with a freeze. Pure. */
export function frozen(record: AccessRecord, freeze: Freeze): AccessRecord {
  return { ...record, freezes: [...current(record, freeze.at).freezes, freeze] };
}

/** The record with these freezes ended. Pure. */
export function thawed(
  record: AccessRecord,
  ids: readonly string[],
  by: NonNullable<Freeze['thawed']>,
): AccessRecord {
  const freezes = record.freezes.map((one) =>
    ids.includes(one.id) && !one.thawed ? { ...one, thawed: by } : one,
  );
  return current({ ...record, freezes }, by.at);
}

/** The record with these freezes kept by `to`; undefined where `from` doesn't keep all of them. `at`: Redis' clock, Unix ms. Pure. */
export function passedOn(
  record: AccessRecord,
  ids: readonly string[],
  { from, to, at }: { readonly from: string; readonly to: string; readonly at: number },
): AccessRecord | undefined {
  const isMeant = (one: Freeze): boolean =>
    ids.includes(one.id) && isFrozen(one, at) && keeperOf(one) === from;
  if (record.freezes.filter(isMeant).length !== ids.length) return undefined;
  const freezes = record.freezes.map((one) => (isMeant(one) ? { ...one, owner: to } : one));
  return { ...record, freezes };
}

const MOST_DEFAULTS = 500;

/** The record with what was set for a channel. Pure. */
export function withDefault(record: AccessRecord, set: ChannelDefault): AccessRecord {
  const others = (record.defaults ?? []).filter(({ channelId }) => channelId !== set.channelId);
  return { ...record, defaults: [...others, set].slice(-MOST_DEFAULTS) };
}

/** What was set for a channel; undefined where nothing was. Pure. */
export function defaultIn({ defaults = [] }: AccessRecord, channelId: string): ChannelDefault | undefined {
  return defaults.find((one) => one.channelId === channelId);
}

/** The record without what has been over for long. Pure. */
function current({ grants, freezes, ...rest }: AccessRecord, now: number): AccessRecord {
  const isKept = (overAt: number | undefined): boolean => overAt === undefined || now < overAt + KEPT_OVER_MS;
  return {
    ...rest,
    grants: grants.filter((one) => isKept(one.revoked?.at ?? one.until)),
    freezes: freezes.filter((one) => isKept(one.thawed?.at ?? one.until)),
  };
}
