import { readStored, toStored } from '../../platform/redis/stored.ts';
import { z } from 'zod';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { type Condition, newest } from '../records/conditions.ts';
import { operationKeys } from './keys.ts';
import type { Operation } from './operation.ts';
import { tookOf } from './cancel-window.ts';
import type { Entry } from '../audit/entry.ts';

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
function pastOf(
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

/** How long an operation took, as it is remembered of its kind. */
export interface Times {
  /** From when it was asked for to its end, in ms. */
  readonly tookMs: number;
  /** From when the host accepted it to its end, as far as polls can tell, in ms; undefined where it was never accepted. */
  readonly endedAfterMs: number | undefined;
}

/** Pure: the times, in whole ms, as a text that is kept in Redis. */
export function timesText({ tookMs, endedAfterMs }: Times): string {
  return `${tookMs}:${endedAfterMs ?? ''}`;
}

/** Pure: reads such a text; undefined for what is none. */
export function readTimes(text: string): Times | undefined {
  const [, took, ended] = /^(\d+):(\d*)$/.exec(text) ?? [];
  if (took === undefined || ended === undefined) return undefined;
  return { tookMs: Number(took), endedAfterMs: ended === '' ? undefined : Number(ended) };
}

/** How long the last operations of each kind took. */
export interface TimesStore {
  /** Newest first. Throws where they can't be read. */
  read(kind: string): Promise<readonly Times[]>;
}

const SAMPLES = 50;

export function createTimesStore(redis: RedisConnection): TimesStore {
  return {
    read: async (kind) => {
      const texts = await redis.lrange(operationKeys.times(kind), 0, SAMPLES - 1);
      return texts.flatMap((text) => readTimes(text) ?? []);
    },
  };
}

/** How long past operations took, for "usually 40 s" and "longer than usual". */
export interface Durations {
  /**
   * Median and 95th percentile in ms: of the kind for this instance, else for any; empty with fewer than three samples of
   * both. Never throws: it is only a remark.
   */
  usual(kind: string, instanceId: string): Promise<{ usuallyMs?: number; longMs?: number }>;
}

const FEWEST = 3;

export function createDurations(past: Pick<PastStore, 'tookMs'>, times: TimesStore): Durations {
  return {
    usual: async (kind, instanceId) => {
      const [own, ofKind] = await Promise.all([
        past.tookMs(instanceId, kind),
        times.read(kind).catch(() => []),
      ]);
      const usual = percentiles(own);
      return usual.usuallyMs === undefined ? percentiles(ofKind.map(({ tookMs }) => tookMs)) : usual;
    },
  };
}

/** Pure: median and 95th percentile of samples in ms. */
export function percentiles(samples: readonly number[]): { usuallyMs?: number; longMs?: number } {
  const sorted = samples.filter((sample) => Number.isFinite(sample)).toSorted((one, other) => one - other);
  const usuallyMs = sorted[Math.floor((sorted.length - 1) / 2)];
  const longMs = sorted[Math.ceil(0.95 * sorted.length) - 1];
  return sorted.length < FEWEST || usuallyMs === undefined || longMs === undefined
    ? {}
    : { usuallyMs, longMs };
}

/** What an operation that has ended leaves for those that come after it; each is an empty text where there is none. */
export interface History {
  /** What was done with the instance, or may have been. */
  readonly past: string;
  /** How long it took. */
  readonly times: string;
}

/** What `operation`, which has just ended, leaves. Pure but for what `pollTimes` knows of its kind. */
export function historyOf(
  operation: Operation,
  { endedAfter }: { readonly endedAfter: (kind: string, ms: number) => number },
): History {
  const { kind, outcome, execution } = operation;
  const { acceptedAt } = execution;
  const isTimed = outcome?.result === 'done' && outcome.code === 'done';
  const tookMs = isTimed ? Math.round(tookOf(operation, outcome.at)) : undefined;
  const past = pastOf(operation, tookMs);
  const endedAfterMs =
    isTimed && acceptedAt !== undefined ? Math.round(endedAfter(kind, outcome.at - acceptedAt)) : undefined;
  return {
    past: past ? toStored(past) : '',
    times: tookMs === undefined ? '' : timesText({ tookMs, endedAfterMs }),
  };
}

/** Whether a step is the one that ends an operation. */
export function isEndedBy(before: Operation, after: Operation): boolean {
  return before.outcome === undefined && after.outcome !== undefined;
}

/** How an operation ended, under the reference under which it was asked. */
export function entryOfEnd(operation: Operation): Entry {
  const { id, kind, actor, place, subject, outcome, canceledBy, approvedBy } = operation;
  return {
    what: 'ended',
    at: outcome?.at ?? 0,
    requestId: id,
    by: canceledBy ?? actor.userId,
    channelId: place.channelId,
    route: kind,
    target: { id: subject.id, name: subject.name },
    approvedBy,
    ...(outcome
      ? {
          result: outcome.result,
          tookMs: tookOf(operation, outcome.at),
          answer: [outcome.code, outcome.said].filter(Boolean).join(': '),
        }
      : {}),
  };
}
