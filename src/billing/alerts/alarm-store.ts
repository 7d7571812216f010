import type { RedisConnection } from '../../redis/connection.ts';
import { keys } from '../../redis/keys.ts';
import { loadScript } from '../../redis/script.ts';
import { type Alarm, alarmSchema, NO_ALARM } from './alarm.ts';

export interface AlarmStore {
  get(): Promise<Alarm>;
  /**
   * Moves the alarm by a pure step, again from the start whenever somebody else moved it meanwhile. Gives it as it is
   * then; undefined where the step did not apply. What the step throws is thrown, and nothing is changed.
   */
  change(step: (alarm: Alarm) => Alarm | undefined): Promise<Alarm | undefined>;
}

const swap = loadScript('swap');

export function createAlarmStore(redis: RedisConnection): AlarmStore {
  const read = async (): Promise<{ version: string; alarm: Alarm }> => {
    const [version, record] = await redis.hmget(keys.alarm, 'version', 'record');
    if (typeof version !== 'string' || typeof record !== 'string') return { version: '0', alarm: NO_ALARM };
    return { version, alarm: alarmSchema.parse(JSON.parse(record)) };
  };
  return {
    get: async () => (await read()).alarm,
    change: async (step) => {
      for (;;) {
        const { version, alarm } = await read();
        const next = step(alarm);
        if (next === undefined) return undefined;
        if ((await swap(redis, [keys.alarm], [version, JSON.stringify(next)])) === 1) return next;
      }
    },
  };
}
