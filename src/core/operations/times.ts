import type { RedisConnection } from '../../platform/redis/connection.ts';
import { operationKeys } from './keys.ts';

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
  /**
   * Newest first; the same list for as long as they are the same. Many that were read a while ago serve as well, and few for
   * `fewFreshMs`. Never throws: where they can't be read, those that were known before.
   */
  read(kind: string, fewFreshMs: number): Promise<readonly Times[]>;
}

const SAMPLES = 50;
/** From so many on, one more changes little. */
const ENOUGH = 20;
const FRESH_MS = 60_000;

export function createTimesStore(redis: RedisConnection): TimesStore {
  const byKind = new Map<string, { text: string; times: readonly Times[]; readAtMs: number }>();
  const reading = new Map<string, Promise<readonly Times[]>>();
  const readNow = async (kind: string): Promise<readonly Times[]> => {
    const known = byKind.get(kind);
    try {
      const texts = await redis.lrange(operationKeys.times(kind), 0, SAMPLES - 1);
      const text = texts.join(' ');
      const times = known?.text === text ? known.times : texts.flatMap((one) => readTimes(one) ?? []);
      byKind.set(kind, { text, times, readAtMs: performance.now() });
      return times;
    } catch {
      return known?.times ?? [];
    } finally {
      reading.delete(kind);
    }
  };
  return {
    read: async (kind, fewFreshMs) => {
      const known = byKind.get(kind);
      const freshMs = known && known.times.length >= ENOUGH ? FRESH_MS : fewFreshMs;
      if (known && performance.now() - known.readAtMs < freshMs) return known.times;
      const one = reading.get(kind) ?? readNow(kind);
      reading.set(kind, one);
      return one;
    },
  };
}
