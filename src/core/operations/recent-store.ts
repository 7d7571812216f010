import { readStored } from '../../platform/redis/stored.ts';
import { z } from 'zod';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { type Condition, newest } from '../records/conditions.ts';
import { operationKeys } from './keys.ts';
import type { Operation } from './operation.ts';

const pastSchema = z.object({
  kind: z.string(),
  userId: z.string(),
  at: z.number(),
  /** How it ended; without it, it was done. */
  result: z.enum(['done', 'asked', 'unknown', 'failed']).optional(),
  /** The action with which the service did it, where it named one. */
  actionId: z.string().optional(),
  /** How long it took, in ms, where it was done in one go. */
  tookMs: z.number().optional(),
});
type Recorded = z.infer<typeof pastSchema>;
/** Something that was done, or may have been, by whom, and when it was through (Unix ms). */
export type Past = Omit<Recorded, 'result'> & { readonly result?: 'done' | 'asked' | 'unknown' };

/** What was done with an instance, and that it is all there is: by `overtaken` something was done since. */
export interface PastAsRead {
  readonly past: readonly Past[];
  readonly asRead: Condition<'overtaken'>;
}

/** What was done with each instance, or may have been. It only makes the bot ask once more, so it never throws. */
export interface PastStore {
  /** Newest first, of the last day. */
  list(instanceId: string, now: number): Promise<readonly Past[]>;
  /** The same, and the condition that nothing was done since, for what begins because of it. Throws what Redis throws. */
  read(instanceId: string, now: number): Promise<PastAsRead>;
  /** Newest first, of those that are remembered since then, Unix ms. Throws what Redis throws. */
  since(instanceId: string, since: number): Promise<readonly Past[]>;
  /** How long operations of a kind took that were done in one go, newest first, in ms. */
  tookMs(instanceId: string, kind: string): Promise<readonly number[]>;
  /**
   * The actions of operations that ended since (Unix ms), and whether one of them may have begun an action that the bot
   * doesn't know. Undefined where that can't be read.
   */
  actionsSince(
    instanceId: string,
    since: number,
  ): Promise<{ readonly actionIds: ReadonlySet<string>; readonly hasUnknown: boolean } | undefined>;
}

const MOST = 50;
/** How long what was done counts as lately, in ms. */
const LATELY_MS = 24 * 3_600_000;

/**
 * What an ended operation, which took `tookMs`, leaves of this kind; undefined where it can't have done anything. Pure.
 */
export function pastOf(
  { kind, actor, outcome, execution: { actionId } }: Operation,
  tookMs: number | undefined,
): Recorded | undefined {
  if (!outcome || outcome.result === 'canceled') return undefined;
  const { result, at } = outcome;
  if (result === 'failed' && actionId === undefined) return undefined;
  return {
    kind,
    userId: actor.userId,
    at,
    result,
    actionId,
    tookMs,
  };
}

/** Pure: reads what was recorded; undefined for what is no such record. */
export function readPast(text: string): Recorded | undefined {
  try {
    return pastSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export function createPastStore(redis: RedisConnection): PastStore {
  const readTexts = (instanceId: string): Promise<readonly string[]> =>
    redis.lrange(operationKeys.past(instanceId), 0, MOST - 1);
  const readAll = async (instanceId: string): Promise<readonly Recorded[]> =>
    (await readTexts(instanceId)).map((text) => readStored(pastSchema, text));
  const lately = (all: readonly Recorded[], now: number): readonly Past[] =>
    all.flatMap((one) => (now - one.at < LATELY_MS ? unlessFailed(one) : []));
  return {
    read: async (instanceId, now) => {
      const texts = await readTexts(instanceId);
      return {
        past: lately(
          texts.map((text) => readStored(pastSchema, text)),
          now,
        ),
        asRead: newest(operationKeys.past(instanceId), texts[0] ?? '', 'overtaken'),
      };
    },
    tookMs: async (instanceId, kind) => {
      const texts = await readTexts(instanceId).catch(() => []);
      return texts
        .flatMap((text) => readPast(text) ?? [])
        .flatMap((one) => (one.kind === kind ? (one.tookMs ?? []) : []));
    },
    list: async (instanceId, now) => {
      return lately(await readAll(instanceId).catch(() => []), now);
    },
    since: async (instanceId, since) =>
      (await readAll(instanceId)).flatMap((one) => (one.at >= since ? unlessFailed(one) : [])),
    actionsSince: async (instanceId, since) => {
      const all = await readAll(instanceId).catch(() => undefined);
      const recent = all?.filter(({ at }) => at >= since);
      const ids = recent?.flatMap(({ actionId }) => (actionId === undefined ? [] : [actionId]));
      return recent && ids && { actionIds: new Set(ids), hasUnknown: ids.length < recent.length };
    },
  };
}

function unlessFailed({ result, ...one }: Recorded): readonly Past[] {
  return result === 'failed' ? [] : [{ ...one, ...(result ? { result } : {}) }];
}
