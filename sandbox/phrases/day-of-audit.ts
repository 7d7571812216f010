import { hashOf, START } from '../../src/core/audit/chain.ts';
import { auditKeys } from '../../src/core/audit/keys.ts';
import { POSTS } from '../../src/core/outbox/outbox.ts';
import { connectBlocking } from '../../src/platform/redis/connection.ts';
import { versionAfter } from '../../src/platform/redis/stored.ts';
import { DAY_MS } from '../../src/platform/time/duration.ts';
import type { Backstage } from './scenario.ts';

/**
 * Yesterday has so many entries of the audit, and another bot goes on that has not told of it yet. `signed`: the hash of the entry that was told of
 * the day before, where it isn't the one that stands there.
 */
export async function dayIsOver(
  { redisUrl, replaceBot }: Pick<Backstage, 'redisUrl' | 'replaceBot'>,
  count: number,
  signed?: string,
): Promise<void> {
  const redis = connectBlocking({ url: redisUrl }, () => undefined);
  const now = Date.now();
  const today = now - (now % DAY_MS);
  // What was posted of that day before is forgotten.
  await redis.del(auditKeys.entries, POSTS.keyOf(`audit-head-${today}`));
  let last = START;
  for (let nth = 0; nth <= count; nth++) {
    const seq = last.seq + 1;
    const hash = hashOf(seq, last.hash, '{}');
    // The first is of the day before.
    const id = `${today - (nth === 0 ? 2 : 1) * DAY_MS}-${seq}`;
    await redis.xadd(auditKeys.entries, id, 'n', seq, 'b', last.hash, 'e', '{}', 'h', hash);
    last = { seq, hash };
  }
  const first = { id: `${today - 2 * DAY_MS}-1`, seq: 1, hash: signed ?? hashOf(1, '', '{}') };
  await redis.hset(auditKeys.head, last);
  await redis.hset(auditKeys.told, {
    version: versionAfter('0'),
    record: JSON.stringify({ until: today - DAY_MS, last: first }),
  });
  redis.disconnect();
  await replaceBot({});
}
