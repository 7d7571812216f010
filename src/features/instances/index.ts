import type { Change } from '../../core/changes/change.ts';
import type { RequestDeps } from '../../core/changes/begin-change.ts';
import type { Route } from '../../core/routing/route.ts';
import type { Feature } from '../../core/routing/feature.ts';
import { POWERS } from '../../platform/hosting/service.ts';
import { isFilter } from '../../core/lookup/filter.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { type DeleteDeps, deleteChange } from './delete.ts';
import { type FavouriteDeps, favouriteRoutes } from './favourites.ts';
import { listRoute } from './list.ts';
import { powerChange } from './power.ts';
import { type ShowDeps, showRoute } from './show.ts';
import { LIST_ROUTE, SHOW } from './route-ids.ts';
import { previewRoute } from './preview.ts';
import { retryRoute } from './retry.ts';
import { type ScheduleDeps, scheduleRoutes } from './schedules/index.ts';
import { troubleRoute } from './trouble.ts';
import { createInstanceObserver } from './observer.ts';

/** `/instances`: what a customer rents. `changes`: its verbs that change something, as help shows them; `more`: routes of other features. */
export function instancesFeature(
  deps: RequestDeps & ShowDeps & FavouriteDeps & ScheduleDeps,
  changes: readonly Change[],
  more: readonly Route[],
): Feature {
  return {
    noun: 'instances',
    default: LIST_ROUTE,
    verbless: (words) => (words.some(isFilter) ? LIST_ROUTE : SHOW),
    summary: 'see, run and delete instances',
    routes: [
      listRoute(deps),
      showRoute(deps),
      troubleRoute(deps),
      ...changes.flatMap((one) => one.routes(deps)),
      previewRoute(deps),
      retryRoute(deps, changes),
      ...favouriteRoutes(deps),
      ...scheduleRoutes(deps),
      ...more,
    ],
  };
}

/** The verbs that change an instance. */
export function instanceChanges(deps: DeleteDeps & { readonly clock: RedisClock }): readonly Change[] {
  const given = { ...deps, observer: createInstanceObserver(deps.hosting, deps.clock) };
  return [...POWERS.map((power) => powerChange(power, given)), deleteChange(given)];
}

/** The route that stops an instance, for the buttons of others. */
export const STOP_ROUTE = 'instances.stop';

/** The routes that start and restart one, for the buttons of others. */
export const START_ROUTE = 'instances.start';
export const RESTART_ROUTE = 'instances.restart';

export {
  FAVOURITES as FAVOURITES_ROUTE,
  LIST_ROUTE,
  SHOW as SHOW_ROUTE,
  TROUBLE_ROUTE,
} from './route-ids.ts';
export { LIST_SCHEDULES_ROUTE } from './schedules/messages.ts';
