import type { RedisConnection } from '../../platform/redis/connection.ts';
import { operationKeys } from './keys.ts';
import { readPast } from './recent-store.ts';
import { readTimes } from './times.ts';

/** How long past operations took, for "usually 40 s" and "longer than usual". */
export interface Durations {
  /**
   * Median and 95th percentile in ms: of the kind for this instance, else for any; empty with fewer than three samples of
   * both. Never throws: it is only a remark.
   */
  usual(kind: string, instanceId: string): Promise<{ usuallyMs?: number; longMs?: number }>;
}

const SAMPLES = 50;
const FEWEST = 3;

export function createDurations(redis: RedisConnection): Durations {
  return {
    usual: async (kind, instanceId) => {
      const [past, times] = await Promise.all(
        [operationKeys.past(instanceId), operationKeys.times(kind)].map((one) =>
          redis.lrange(one, 0, SAMPLES - 1).catch((): string[] => []),
        ),
      );
      const ofKind = (past ?? []).flatMap((text) => readPast(text) ?? []).filter((one) => one.kind === kind);
      const own = percentiles(ofKind.flatMap(({ tookMs }) => tookMs ?? []));
      if (own.usuallyMs !== undefined) return own;
      return percentiles((times ?? []).flatMap((text) => readTimes(text)?.tookMs ?? []));
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
