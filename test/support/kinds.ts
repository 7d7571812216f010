import { DELETION } from './deletion.ts';
import type { Change } from '../../src/core/changes/change.ts';
import { createLinks } from '../../src/core/links.ts';
import type { Observer, OperationKind } from '../../src/core/operations/kind.ts';
import type { Timings } from '../../src/core/timings.ts';
import { addChange } from '../../src/features/addons/add.ts';
import { removeChange } from '../../src/features/addons/remove.ts';
import { deleteChange } from '../../src/features/instances/delete.ts';
import { powerChange } from '../../src/features/instances/power.ts';
import type { HostingService, Power } from '../../src/platform/hosting/service.ts';
import { fixedClock } from './fixed-clock.ts';

/** What only a request needs, and an operation never. */
const unasked = (): never => {
  throw new Error('only a request asks for that');
};
const forRequests = {
  // Nobody else does anything there.
  past: { actionsSince: unasked, list: async () => [], read: unasked, since: unasked, tookMs: unasked },
  offers: {
    make: unasked,
    put: unasked,
    find: unasked,
    use: unasked,
    useWith: unasked,
    write: unasked,
    list: unasked,
  },
  isProtected: () => false,
  access: { check: unasked, require: unasked },
  approvalRules: unasked,
  people: { zone: unasked },
  schedules: { list: unasked },
  calendar: { now: () => 0 },
  links: createLinks({}),
  clock: fixedClock(() => 0),
  price: async () => [],
  unit: 'credits',
};

interface Given {
  readonly hosting: HostingService;
  readonly observer: Observer;
  readonly timings: Timings;
}

/** A power action as a kind of operation. */
export function powerKind(power: Power, given: Given): OperationKind {
  return kindOf(powerChange(power, { ...forRequests, ...given }), given);
}

/** Every kind there is, for what is the same for all of them. */
export function everyKind(given: Given): readonly OperationKind[] {
  const deps = { ...forRequests, ...given };
  const changes = [
    powerChange('restart', deps),
    deleteChange(deps, DELETION),
    addChange(deps),
    removeChange(deps),
  ];
  return changes.map((one) => kindOf(one, given));
}

function kindOf(one: Change, { timings }: Given): OperationKind {
  return one.kind({
    timings,
    links: forRequests.links,
    cancelRoute: 'lamplighter.cancel',
    showRoute: 'instances.show',
    followRoute: 'lamplighter.follow',
    longerRoute: 'schedules.schedule-longer',
    keepRoute: 'schedules.schedule-keep',
  });
}
