import { type AccessStore, defaultIn } from '../policy/access-record.ts';
import type { Caller } from './account.ts';
import type { OfAccount } from './choose.ts';

/** An account, and what was set in Slack for it. */
export interface WithDefaults extends OfAccount {
  readonly accessStore: Pick<AccessStore, 'get'>;
}

/**
 * The account that is meant in the caller's channel where none is named: the one that was set there last, in whichever account,
 * else that of the file. Undefined where there is none, or it was removed. What can't be read counts as not set.
 */
export async function ownOf<Served extends WithDefaults>(
  reachable: readonly Served[],
  { channelId }: Caller,
): Promise<Served | undefined> {
  if (channelId === undefined || reachable.length < 2) return reachable[0];
  const sets = await Promise.all(
    reachable.map(async (served) => {
      const record = await served.accessStore.get().catch(() => undefined);
      return { served, set: record && defaultIn(record, channelId) };
    }),
  );
  const [newest] = sets.toSorted((one, other) => (other.set?.at ?? 0) - (one.set?.at ?? 0));
  if (newest?.set) return newest.set.isDefault ? newest.served : undefined;
  return reachable.find(({ account }) => account.defaultIn.includes(channelId));
}
