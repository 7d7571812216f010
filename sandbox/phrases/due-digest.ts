import { versionAfter } from '../../src/platform/redis/version.ts';
import { connectBlocking } from '../../src/platform/redis/connection.ts';
import { z } from 'zod';
import { DIGEST } from '../../src/features/billing/digest/plan.ts';

const planSchema = z.looseObject({ set: z.looseObject({ dueAt: z.number() }) });
const A_SECOND_MS = 1_000;

/** Makes the digest that was set due now, as it will be some Monday. */
export async function letDigestBeDue(redisUrl: string): Promise<void> {
  const redis = connectBlocking({ url: redisUrl }, () => undefined);
  const [version, record] = await redis.hmget(DIGEST.key, 'version', 'record');
  const plan = planSchema.parse(JSON.parse(record ?? '{}'));
  plan.set.dueAt = Date.now() - A_SECOND_MS;
  await redis.hset(DIGEST.key, {
    version: versionAfter(version ?? '0'),
    record: JSON.stringify(plan),
  });
  redis.disconnect();
}
