import { findLeavers, type LeaversDeps, tellLeavers } from '../features/access/index.ts';
import type { Leaver, Names } from '../features/doctor/index.ts';
import { asError } from '../platform/log/as-error.ts';
import type { Log } from '../platform/log/log.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import type { ConfiguredAccount } from './config/accounts.ts';
import { createMoreHoldings, type WatchStoreDeps } from './watch-holdings.ts';
import { namedIn } from './named.ts';

type Given = Omit<LeaversDeps, 'namedPeople' | 'moreHoldings'> &
  Omit<WatchStoreDeps, 'redis'> & { readonly failFast: RedisConnection; readonly log: Pick<Log, 'limited'> };

/** What is to be known of people of one account who are deactivated and hold something still. */
export function createLeavers(
  live: () => ConfiguredAccount,
  given: Given,
): {
  /** Whom the configuration names, and where. */
  readonly namedPeople: () => readonly Names[];
  /** Throws where Slack can't say. */
  findLeavers(): Promise<readonly Leaver[]>;
  /** Tells the admins of each, once. Never throws. */
  tellLeavers(): Promise<void>;
} {
  const namedPeople = (): readonly Names[] => namedIn(live()).people;
  const deps = {
    ...given,
    namedPeople,
    moreHoldings: createMoreHoldings({ ...given, redis: given.failFast }),
  };
  return {
    namedPeople,
    findLeavers: () => findLeavers(deps),
    tellLeavers: () =>
      tellLeavers(deps).catch((error: unknown) =>
        given.log.limited('telling of who has left', asError(error)),
      ),
  };
}
