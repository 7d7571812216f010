import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import type { Ongoing } from './messages.ts';
import type { Operations } from './operations.ts';

/**
 * The operations that hold these locks and have not ended, as others read of them. Without Redis, none: what is read
 * comes without.
 */
export async function findOngoing(
  operations: Pick<Operations, 'findHolderFailFast' | 'knows' | 'kindOf' | 'linkTo'>,
  locks: readonly string[],
): Promise<readonly Ongoing[]> {
  const looking = Promise.all(locks.map((lock) => operations.findHolderFailFast(lock)));
  const holders = await unlessRedisIsAway(looking, []);
  return holders
    .filter((holder) => holder !== undefined)
    .filter((holder) => holder.outcome === undefined && operations.knows(holder))
    .map((operation) => ({
      operation,
      kind: operations.kindOf(operation),
      link: operations.linkTo(operation),
    }));
}
