import type { Route } from '../feature.ts';
import type { Addon, HostingService, Instance } from '../hosting/service.ts';
import type { OfferStore } from '../operations/offer-store.ts';
import type { Operations } from '../operations/operations.ts';
import { unlessRedisIsAway } from '../redis/away.ts';
import type { Button } from '../slack/message.ts';
import { addonName, isActive, isOn, readAddons } from '../targets/addon.ts';
import { choicesOf, offerOf, resolveAsk, resolveLoosely, resolvePicked } from '../targets/resolve.ts';
import { addonList } from './messages.ts';
import { REMOVE } from './remove.ts';

export interface ListDeps {
  readonly hosting: HostingService;
  readonly offers: OfferStore;
  readonly operations: Pick<Operations, 'find'>;
  /** How credits are called. */
  readonly unit: string;
}

export const ADDONS_LIST = 'addons.list';
const VERB = { verb: 'see the add-ons of', routeId: ADDONS_LIST };
const MOST_MENU_LINES = 5;

/** `/addons`, `/addons web-1`: what is attached, what it does and what it costs. */
export function listRoute(deps: ListDeps): Route {
  const { hosting, unit } = deps;
  return {
    id: ADDONS_LIST,
    verb: 'list',
    synonyms: ['ls', 'show', 'all'],
    permission: 'addons:read',
    writes: false,
    usage: '[name or id of an instance]',
    summary: 'list add-ons, with what they cost',
    handle: async (ask) => {
      const isOfOne = ask.words.length > 0 || ask.picked !== undefined || ask.value !== undefined;
      if (!isOfOne) {
        const { addons, ...rest } = await readAddons(hosting);
        return addonList(addons.toSorted(byInstance), { unit, menu: [], ...rest });
      }
      const instance = await instanceOf(ask.words.join(' '), ask.picked, ask.value === undefined);
      const { addons, canChange, ...rest } = await readAddons(hosting);
      const its = addons
        .filter((addon) => isOn({ ...addon, status: 'active' }, instance))
        .toSorted(byInstance);
      return addonList(its, {
        of: instance,
        unit,
        canChange,
        menu: canChange ? await removable(deps, instance, its) : [],
        ...rest,
      });

      async function instanceOf(
        typed: string,
        picked: string | undefined,
        isTyped: boolean,
      ): Promise<Instance> {
        if (!isTyped) return resolveAsk(deps, VERB, ask, { names: [], dryRun: false });
        return picked === undefined ? resolveLoosely(hosting, VERB, typed) : resolvePicked(hosting, picked);
      }
    },
    choices: (typed) => choicesOf(hosting, typed),
  };
}

/** What can be removed needs a record behind it; without Redis the list comes without. */
async function removable(deps: ListDeps, instance: Instance, addons: readonly Addon[]): Promise<Button[]> {
  const lines = addons
    .filter((addon) => isActive(addon) && addon.id !== '')
    .slice(0, MOST_MENU_LINES)
    .map(async (addon) => ({
      label: `Remove ${addonName(addon)}…`,
      routeId: REMOVE,
      value: await deps.offers.create({ ...offerOf(instance), addonId: addon.id }),
    }));
  return unlessRedisIsAway(Promise.all(lines), []);
}

/** The active first, by instance, then by type. */
function byInstance(one: Addon, other: Addon): number {
  return (
    Number(isActive(other)) - Number(isActive(one)) ||
    (one.instanceName ?? '').localeCompare(other.instanceName ?? '') ||
    one.type.localeCompare(other.type)
  );
}
