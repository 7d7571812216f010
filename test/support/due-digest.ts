import { versionAfter } from '../../src/platform/redis/version.ts';
import { connectBlocking } from '../../src/platform/redis/connection.ts';
import type { Redis } from 'ioredis';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { DIGEST } from '../../src/features/billing/digest/plan.ts';

/** What a test reads of the digest's record. */
export interface Plan {
  set: { dueAt: number };
  pending?: unknown;
}

/** The digest's record, and its version. */
export async function readPlan(redis: Redis): Promise<{ version: string | null; plan: Plan }> {
  const [version = null, record] = await redis.hmget(DIGEST.key, 'version', 'record');
  return { version, plan: JSON.parse(record ?? '') };
}

/** Makes the digest due now, as it will be some Monday. */
export async function letItBeDue(sandbox: Sandbox): Promise<void> {
  const redis = connectBlocking({ url: sandbox.redisUrl }, () => undefined);
  const { version, plan } = await readPlan(redis);
  plan.set.dueAt = Date.now() - 1_000;
  await redis.hset(DIGEST.key, {
    version: versionAfter(version ?? '0'),
    record: JSON.stringify(plan),
  });
  redis.disconnect();
}
