import type { Protection } from '../access/protection.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../feature.ts';
import { type HostingService, type Instance, POWERS } from '../hosting/service.ts';
import type { OfferStore } from '../operations/offer-store.ts';
import { unlessRedisIsAway } from '../redis/away.ts';
import type { Button } from '../slack/message.ts';
import { say } from '../slack/phrase.ts';
import { choicesOf, offerOf, resolveLoosely } from '../targets/resolve.ts';
import { DELETE } from './delete-kind.ts';
import { refuseDelete } from './delete-rules.ts';
import { instanceCard } from './messages.ts';
import { powerButton } from './power-messages.ts';
import { refusePower } from './power-rules.ts';

export interface ShowDeps {
  readonly hosting: HostingService;
  readonly offers: OfferStore;
  readonly isProtected: Protection;
  /** The route that lists the add-ons of an instance. */
  readonly addonsRoute: string;
  /** How credits are called. */
  readonly unit: string;
}

const VERB = { verb: 'show', routeId: 'instances.show' };
const MOST_BUTTONS = 2;

/** `/instances show web-1`, or just `/instances web-1`: one instance, with what can be done to it. */
export function showRoute(deps: ShowDeps): Route {
  const { hosting } = deps;
  return {
    id: VERB.routeId,
    verb: VERB.verb,
    synonyms: ['status', 'info', 'describe', 'get', 'view', 'details'],
    permission: 'instances:read',
    writes: false,
    usage: '<name or id>',
    summary: 'show one instance, with its buttons',
    handle: async (ask) => {
      const id = ask.picked ?? (await resolveLoosely(hosting, VERB, ask.words.join(' '))).id;
      const instance = await hosting.findInstance(id);
      if (!instance) throw new Refusal('gone', say`There is no instance ${id} any more.`);
      const { buttons, menu } = await pressable(instance, deps);
      return instanceCard(instance, deps.unit, buttons, menu);
    },
    choices: (typed) => choicesOf(hosting, typed),
  };
}

/** What can be pressed needs a record behind it; without Redis the card comes without. */
async function pressable(
  instance: Instance,
  deps: ShowDeps,
): Promise<{ buttons: readonly Button[]; menu: readonly Button[] }> {
  const offerId = await unlessRedisIsAway(deps.offers.create(offerOf(instance)), undefined);
  if (offerId === undefined) return { buttons: [], menu: [] };
  const buttons = POWERS.filter((power) => refusePower(power, instance) === undefined)
    .slice(-MOST_BUTTONS)
    .toReversed()
    .map((power) => powerButton(power, offerId));
  const canDelete = refuseDelete(instance, deps.isProtected(instance)) === undefined;
  return {
    buttons,
    menu: [
      { label: 'Add-ons', routeId: deps.addonsRoute, value: offerId },
      ...(canDelete ? [{ label: 'Delete…', routeId: DELETE, value: offerId }] : []),
    ],
  };
}
