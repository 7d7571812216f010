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
