import type { Access } from '../core/policy/access.ts';
import type { AccessStore } from '../core/policy/access-record.ts';
import type { Background } from '../core/intake/feature.ts';
import { homesBackground } from '../features/lamplighter/keep-homes.ts';
import { createPacedReads } from '../platform/hosting/paced-reads.ts';
import { createFeatures } from './features.ts';
import type { FeaturesDeps } from './features-deps.ts';
import { homeShows } from './home-shows.ts';

export interface HomesDeps extends FeaturesDeps {
  /** Rights by a record of what people set. */
  readonly rightsBy: (store: AccessStore) => Access;
}

/**
 * Keeps open Homes up to date by the same routes that draw one when it is opened, over reads that all of them share: of Redis
 * once in each round, of the hosting service at a pace of their own.
 */
export function createHomesBackground(deps: HomesDeps): Background {
  const { hosting, operations, approvals, schedules, favorites, accessStore, clock, timings } = deps;
  const round = createRound();
  const { renew, ...reads } = createPacedReads(hosting, {
    now: () => clock.now(),
    balanceEveryMs: timings.homeBalanceEveryMs,
  });
  const listOpen = round.once(() => operations.listOpen());
  const access = deps.rightsBy({ ...accessStore, get: round.once(() => accessStore.get()) });
  const shared = {
    ...deps,
    access,
    hosting: { ...hosting, ...reads },
    operations: { ...operations, listOpen },
    approvals: { ...approvals, listOpen: round.once(() => approvals.listOpen()) },
    schedules: { ...schedules, list: round.once(() => schedules.list()) },
    favorites: { ...favorites, list: round.once(() => favorites.list()) },
  };
  const features = createFeatures(shared);
  let running = '';
  return homesBackground({
    ...shared,
    homeShows: homeShows(hosting.about.offers),
    features: () => features,
    beginRound: async (openedAt) => {
      round.begin();
      // Nothing older is shown than what its owner saw when they opened it.
      renew(openedAt, 'read');
      const ids = (await listOpen()).filter(({ outcome }) => !outcome).map(({ id }) => id);
      const now = ids.toSorted().join(' ');
      if (now !== running) renew(clock.now(), 'refresh');
      running = now;
    },
  });
}

/** Reads that are done at most once in a round, however many Homes it is at. */
function createRound(): {
  begin(): void;
  once<T>(read: () => Promise<T>): () => Promise<T>;
} {
  let round = 0;
  return {
    begin: () => {
      round += 1;
    },
    once: (read) => {
      let last: { readonly round: number; readonly answer: ReturnType<typeof read> } | undefined;
      return () => {
        if (last?.round !== round) last = { round, answer: read() };
        return last.answer;
      };
    },
  };
}
