import type { PastStore } from './recent-store.ts';
import type { TimesStore } from './times.ts';

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
