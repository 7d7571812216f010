import type { Change } from '../../core/changes/change.ts';
import type { Feature } from '../../core/intake/route.ts';
import { addChange } from './add.ts';
import { listRoute } from './list.ts';
import { removeChange } from './remove.ts';
import { ADDONS_LIST } from './messages.ts';
import { type AddonVerbs, createAddonObserver } from './addon.ts';
import type { Bot } from '../../core/bot/bot.ts';

export { ADD as ADD_ROUTE, ADDONS_LIST, REMOVE as REMOVE_ROUTE } from './messages.ts';

/** `/addons`: something extra attached to an instance. `changes`: its verbs that change something. */
export function addonsFeature(deps: Bot, changes: readonly Change[]): Feature {
  return {
    noun: 'addons',
    default: ADDONS_LIST,
    verbless: () => ADDONS_LIST,
    summary: 'see, add and remove add-ons',
    routes: [listRoute(deps), ...changes.flatMap((one) => one.routes(deps))],
  };
}

/** The verbs that change an add-on. */
export function addonChanges(deps: Omit<AddonVerbs, 'observer'> & Pick<Bot, 'clock'>): readonly Change[] {
  const given = { ...deps, observer: createAddonObserver(deps.hosting, deps.clock) };
  return [addChange(given), removeChange(given)];
}
