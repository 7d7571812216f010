import type { Change } from '../../core/changes/change.ts';
import type { Route, Feature } from '../../core/intake/route.ts';
import { POWERS } from '../../platform/hosting/service.ts';
import { isFilter, withoutSpaces } from '../../core/instances/filter.ts';
import { actRoute } from './act.ts';
import { cancelChange } from './cancel.ts';
import { deleteChange, noDeleteRoute } from './delete.ts';
import type { Instances, InstanceVerbs } from './instances.ts';
import { favoriteRoutes } from './favorites.ts';
import { listRoute } from './list.ts';
import { forceChanges } from './force.ts';
import { powerChange } from './power.ts';
import { findRoute, showRoute } from './show.ts';
import { isAtItsEnd } from './cancel-rules.ts';
import { LIST_ROUTE, SHOW } from './route-ids.ts';
import { readPreview } from '../../core/changes/begin-several.ts';
import { PREVIEW_ROUTE, previewList } from '../../core/changes/several-messages.ts';
import { parsePlace } from '../../core/lists/asked-page.ts';
import { pageMessage } from '../../core/lists/list.ts';
import { scheduleRoutes } from './schedules/index.ts';
import { instanceTools } from './tools.ts';
import { troubleRoute } from './trouble.ts';
import { afterBatchRoutes } from './after-batch.ts';
import { createInstanceObserver } from './observer.ts';
import type { Bot } from '../../core/bot/bot.ts';

/** `/instances`: what a customer rents. `changes`: its verbs that change something, as help shows them; `more`: routes of other features. */
export function instancesFeature(
  deps: Instances,
  changes: readonly Change[],
  more: readonly Route[],
): Feature {
  const { about } = deps.hosting;
  return {
    noun: 'instances',
    default: LIST_ROUTE,
    verbless: (words) => (withoutSpaces(words).some(isFilter) ? LIST_ROUTE : SHOW),
    summary: 'see, run and delete instances',
    routes: [
      listRoute(deps),
      showRoute(deps),
      actRoute(deps),
      findRoute(),
      troubleRoute(deps),
      ...changes.flatMap((one) => one.routes(deps)),
      ...('notOffered' in about.deletion ? [noDeleteRoute(about.name, about.deletion)] : []),
      previewRoute(deps),
      ...afterBatchRoutes(deps, changes),
      ...favoriteRoutes(deps),
      ...scheduleRoutes(deps),
      ...more,
    ],
    tools: instanceTools(deps),
  };
}

/** The verbs that change an instance. */
export function instanceChanges(deps: Omit<InstanceVerbs, 'observer'>): readonly Change[] {
  const given = { ...deps, observer: createInstanceObserver(deps.hosting, deps.clock, deps.past) };
  const powers = [...POWERS.map((power) => powerChange(power, given)), ...forceChanges(given)];
  const { deletion, offers } = deps.hosting.about;
  if (!offers.deletion || 'notOffered' in deletion) return powers;
  return [...powers, isAtItsEnd(deletion) ? cancelChange(given, deletion) : deleteChange(given, deletion)];
}

/** The button "Show all" of a preview: every instance in it, page by page, for who was shown it. */
function previewRoute(deps: Pick<Bot, 'offers'>): Route {
  return {
    id: PREVIEW_ROUTE,
    verb: 'preview',
    permission: 'instances:read',
    writes: false,
    summary: 'every line of a preview',
    handle: async (ask) => {
      const { listId = '', from = 0 } = parsePlace(ask.value) ?? {};
      return pageMessage(previewList(await readPreview(deps, ask, listId)), { from, listId });
    },
  };
}

export {
  LIST_ROUTE,
  RESTART as RESTART_ROUTE,
  SHOW as SHOW_ROUTE,
  SOME_FAVORITES as SOME_FAVORITES_ROUTE,
  START as START_ROUTE,
  STOP as STOP_ROUTE,
  TROUBLE_ROUTE,
} from './route-ids.ts';
export { removalOf } from './cancel-rules.ts';
export { ownedSchedules } from './schedules/index.ts';
export { LIST_SCHEDULES_ROUTE } from './schedules/messages.ts';
