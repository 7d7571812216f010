import type { Feature } from '../../core/routing/feature.ts';
import type { HostingService } from '../../platform/hosting/service.ts';
import type { OperationKind } from '../../core/operations/kind.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { Timings } from '../../core/timings.ts';
import { addRoute, type ChangeDeps } from './add.ts';
import { changeKind } from './change-kind.ts';
import { ADDONS_LIST, listRoute } from './list.ts';
import { removeRoute } from './remove.ts';
import { createAddonSight } from './sight.ts';

export { ADDONS_LIST } from './list.ts';

/** `/addons`: something extra attached to an instance. */
export function addonsFeature(deps: ChangeDeps): Feature {
  return {
    noun: 'addons',
    standard: ADDONS_LIST,
    verbless: () => ADDONS_LIST,
    summary: 'see, add and remove add-ons',
    routes: [listRoute(deps), addRoute(deps), removeRoute(deps)],
  };
}

/** The kinds of operation on add-ons. */
export function addonKinds(deps: {
  hosting: HostingService;
  clock: RedisClock;
  timings: Timings;
  cancelRoute: string;
}): readonly OperationKind[] {
  const sight = createAddonSight(deps.hosting, deps.clock);
  return [changeKind('add', { ...deps, sight }), changeKind('remove', { ...deps, sight })];
}
