import type { Feature } from '../feature.ts';
import { type HostingService, POWERS } from '../hosting/service.ts';
import type { OperationKind } from '../operations/kind.ts';
import type { OfferStore } from '../operations/offer-store.ts';
import type { Timings } from '../timings.ts';
import { isFilter } from './filter.ts';
import { listRoute } from './list.ts';
import { type PowerDeps, powerRoute } from './power.ts';
import { powerKind } from './power-kind.ts';
import { showRoute } from './show.ts';

/** `/instances`: what a customer rents. */
export function instancesFeature(deps: PowerDeps & { offers: OfferStore }): Feature {
  const { hosting, offers } = deps;
  return {
    noun: 'instances',
    standard: 'instances.list',
    verbless: (words) => (words.some(isFilter) ? 'instances.list' : 'instances.show'),
    summary: 'see and run instances',
    routes: [
      listRoute(hosting),
      showRoute(hosting, offers),
      ...POWERS.map((power) => powerRoute(power, deps)),
    ],
  };
}

/** The kinds of operation on instances. */
export function instanceKinds(hosting: HostingService, timings: Timings): readonly OperationKind[] {
  return POWERS.map((power) => powerKind(power, hosting, timings));
}
