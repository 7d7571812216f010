import { Redis } from 'ioredis';
import { z } from 'zod';
import { hostsIn, optionsOf, type RedisAt, severalIn } from './address.ts';

const ANSWERS_WITHIN_MS = 1_000;

/** What a Sentinel says of one replica: names and values, one after another. */
const replicaSchema = z.array(z.string());

/**
 * How the replicas that Sentinel knows are preferred when one is to take over, in no order: 0 for one that never does, and else
 * the lower the sooner. Undefined where no Sentinel answers, or the address means none.
 */
export async function readPriorities(at: RedisAt): Promise<readonly number[] | undefined> {
  const sentinels = severalIn(at.url) === 'sentinel' ? hostsIn(at.url) : undefined;
  if (!sentinels) return undefined;
  const { sentinelUsername, sentinelPassword, sentinelTLS } = optionsOf(at).options;
  for (const { host, port } of sentinels.hosts) {
    const sentinel = new Redis({
      host,
      port,
      ...(sentinelUsername === undefined ? {} : { username: sentinelUsername }),
      ...(sentinelPassword === undefined ? {} : { password: sentinelPassword }),
      ...(sentinelTLS === undefined ? {} : { tls: sentinelTLS }),
      connectTimeout: ANSWERS_WITHIN_MS,
      commandTimeout: ANSWERS_WITHIN_MS,
      enableReadyCheck: false,
      retryStrategy: () => null,
    });
    // The next is asked.
    sentinel.on('error', () => undefined);
    try {
      const replicas = z
        .array(replicaSchema)
        .parse(await sentinel.call('SENTINEL', 'REPLICAS', sentinels.name));
      return replicas.map((said) => Number(said[said.indexOf('slave-priority') + 1]));
    } catch {
      continue;
    } finally {
      sentinel.disconnect();
    }
  }
  return undefined;
}
