import type { HostingService, WriteAnswer, WriteOptions } from '../../platform/hosting/service.ts';
import type { OperationKind } from '../../core/operations/kind.ts';
import type { Operation } from '../../core/operations/operation.ts';
import type { Sight } from '../../core/operations/sight.ts';
import { readAddons } from '../../core/lookup/addon.ts';
import type { Timings } from '../../core/timings.ts';
import { changeCard, changeEnding, changeTopic } from './change-messages.ts';
import { type AddonChange, judgeBeforeChange, judgeChange, judgeRefusedChange } from './change-rules.ts';
import { ADDONS_LIST } from './list.ts';
import { addonIn } from './sight.ts';

/** Adding or removing an add-on as a kind of operation. `cancelRoute`: the route that cancels a removal in its grace. */
export function changeKind(
  change: AddonChange,
  deps: { hosting: HostingService; sight: Sight; cancelRoute: string; timings: Timings },
): OperationKind {
  const { hosting, sight, cancelRoute, timings } = deps;
  return {
    kind: `addons.${change}`,
    permission: 'addons:change',
    topic: changeTopic,
    ...(change === 'add' ? { doing: 'being added' } : { doing: 'being removed', coming: 'be removed' }),
    sight,
    prepare: async (operation) => {
      const [instance, list] = await Promise.all([
        hosting.findInstance(operation.subject.id),
        readAddons(hosting),
      ]);
      // Gone already is only said of a list that is whole.
      if (change === 'remove') addonIn(operation, list);
      return judgeBeforeChange(change, operation, instance, list);
    },
    send: (operation, options) => send(change, hosting, operation, options),
    judge: (operation, seen, now) => judgeChange(change, operation, seen, now, timings),
    judgeRefused: (operation, seen, said) => judgeRefusedChange(change, operation, seen, said),
    card: (operation) => changeCard(change, operation, cancelRoute),
    ending: (operation, outcome) => changeEnding(change, operation, outcome),
    nextSteps: ({ id }) => [{ label: 'Show add-ons', routeId: ADDONS_LIST, value: id }],
  };
}

/** What the answer says of the add-on is looked up in the list like everything else. */
async function send(
  change: AddonChange,
  hosting: HostingService,
  { id, subject, addon }: Operation,
  options: WriteOptions,
): Promise<WriteAnswer> {
  if (!addon) throw new Error(`operation ${id}: no add-on`);
  if (change === 'add') {
    const { type, tier } = addon;
    await hosting.addAddon(subject.id, { type, ...(tier === undefined ? {} : { tier }) }, options);
  } else {
    if (addon.id === undefined) throw new Error(`operation ${id}: an add-on without an id`);
    await hosting.removeAddon(addon.id, options);
  }
  return {};
}
