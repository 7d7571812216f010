import type { Feature } from '../../core/routing/feature.ts';
import { type HostingService, POWERS } from '../../platform/hosting/service.ts';
import type { OperationKind } from '../../core/operations/kind.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { Protection } from '../../core/policy/protection.ts';
import { isFilter } from '../../core/lookup/filter.ts';
import type { Timings } from '../../core/timings.ts';
import { type DeleteDeps, deleteRoute } from './delete.ts';
import { deleteKind } from './delete-kind.ts';
import { listRoute } from './list.ts';
import { powerRoute } from './power.ts';
import { powerKind } from './power-kind.ts';
import { type ShowDeps, showRoute } from './show.ts';
import { LIST_ROUTE } from './messages.ts';
import { SHOW } from './show-button.ts';
import { createInstanceSight } from './sight.ts';

/** `/instances`: what a customer rents. */
export function instancesFeature(deps: DeleteDeps & ShowDeps): Feature {
  return {
    noun: 'instances',
    standard: LIST_ROUTE,
    verbless: (words) => (words.some(isFilter) ? LIST_ROUTE : SHOW),
    summary: 'see, run and delete instances',
    routes: [
      listRoute(deps.hosting),
      showRoute(deps),
      ...POWERS.map((power) => powerRoute(power, deps)),
      deleteRoute(deps),
    ],
  };
}

/** The kinds of operation on instances. */
export function instanceKinds(deps: {
  hosting: HostingService;
  clock: RedisClock;
  timings: Timings;
  isProtected: Protection;
  cancelRoute: string;
}): readonly OperationKind[] {
  const { hosting, clock, timings } = deps;
  const sight = createInstanceSight(hosting, clock);
  return [
    ...POWERS.map((power) => powerKind(power, hosting, sight, timings)),
    deleteKind({ ...deps, sight }),
  ];
}

/** The route that stops an instance, for the buttons of others. */
export const STOP_ROUTE = 'instances.stop';
