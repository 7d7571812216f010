import type { RedisConnection } from '../../platform/redis/connection.ts';
import { operationKeys } from './keys.ts';
import type { PastStore } from './recent-store.ts';

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
