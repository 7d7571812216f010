import type { Command } from 'ioredis';
import type { RedisConnection } from './key.ts';

/** What Redis says about itself, by the names of its INFO; empty where that is forbidden. Throws what Redis answers else. */
export async function readInfo(redis: RedisConnection): Promise<ReadonlyMap<string, string>> {
  const info = await redis.info();
  if (info === OF_FORBIDDEN) return new Map();
  return new Map(
    info.split(/\r?\n/).flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1)]];
    }),
  );
}

/** What the oldest Redis that will do would say: BullMQ does nothing before it knows a version, and with an older one less. */
const OF_FORBIDDEN = 'redis_version:6.2.0';
const FORBIDDEN = /^NOPERM |^ERR unknown command/i;

/** Has an INFO that Redis forbids or doesn't know be answered all the same: nothing that the bot does depends on what it says. */
export function allowForbiddenInfo(command: Command): void {
  if (command.name !== 'info') return;
  const { reject } = command;
  command.reject = (error: Error) => {
    if (FORBIDDEN.test(error.message)) command.resolve(OF_FORBIDDEN);
    else reject(error);
  };
}
