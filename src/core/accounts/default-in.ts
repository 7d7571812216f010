import { type AccessStore, defaultIn } from '../policy/access-record.ts';
import type { Caller } from './account.ts';
import type { OfAccount } from './choose.ts';

/** An account, and what was set in Slack for it. */
export interface WithDefaults extends OfAccount {
  readonly accessStore: Pick<AccessStore, 'get'>;
}

/**
 * The account that is meant in the caller's channel where none is named: the one that was set there last, in whichever account,
 * else that of the file. Undefined where there is none, where it was removed, where the caller can't reach it, and where what was set
 * can't be read: a change must not go to another then.
 */
export async function ownOf<Served extends WithDefaults>(
  served: readonly Served[],
  reachable: readonly Served[],
  { channelId }: Caller,
): Promise<Served | undefined> {
  if (channelId === undefined || reachable.length < 2) return reachable[0];
  const sets = await Promise.all(
    served.map(async (one) => {
      const record = await one.accessStore.get().catch(() => undefined);
      return { one, isRead: record !== undefined, set: record && defaultIn(record, channelId) };
    }),
  );
  if (sets.some(({ isRead }) => !isRead)) return undefined;
  const [newest] = sets.toSorted((one, other) => (other.set?.at ?? 0) - (one.set?.at ?? 0));
  const own = newest?.set
    ? newest.set.isDefault
      ? newest.one
      : undefined
    : served.find(({ account }) => account.defaultIn.includes(channelId));
  return reachable.find((one) => one === own);
}
