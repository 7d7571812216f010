import { Refusal } from '../errors.ts';
import type { Route } from '../feature.ts';
import type { HostingService, Instance } from '../hosting/service.ts';
import { POWERS } from '../hosting/service.ts';
import type { OfferStore } from '../operations/offer-store.ts';
import type { Button, Choice } from '../slack/message.ts';
import { say } from '../slack/phrase.ts';
import { findLoosely, near } from './instance.ts';
import { choiceLabel, instanceCard, nameOf, powerButton, whichInstance } from './messages.ts';
import { refusePower } from './power-rules.ts';
import { offerOf } from './resolve.ts';

const ROUTE = 'instances.show';
const MOST_BUTTONS = 2;
/** A slow service must not keep a picker empty; what is picked is read again by its id. */
const CHOICES_FRESH_MS = 15_000;

/** `/instances show web-1`, or just `/instances web-1`: one instance, with buttons for what can be done. */
export function showRoute(hosting: HostingService, offers: OfferStore): Route {
  return {
    id: ROUTE,
    verb: 'show',
    permission: 'instances:read',
    writes: false,
    usage: '<name or id>',
    summary: 'show one instance, with its buttons',
    handle: async (ask) => {
      const id = ask.picked ?? (await resolveLoosely(hosting, ask.words.join(' '))).id;
      const instance = await hosting.findInstance(id);
      if (!instance) throw new Refusal('gone', say`There is no instance ${id} any more.`);
      return instanceCard(instance, await buttonsFor(instance, offers));
    },
    choices: async (typed): Promise<readonly Choice[]> => {
      const { instances } = await hosting.listInstances({ freshMs: CHOICES_FRESH_MS });
      return near(typed.trim(), instances).map((one) => ({ value: one.id, label: choiceLabel(one) }));
    },
  };
}

/** The instance a read's words mean. Throws a Refusal that offers those that are near. */
async function resolveLoosely(hosting: HostingService, typed: string): Promise<Instance> {
  if (typed === '') throw new Refusal('no-name', whichInstance('show', ROUTE, say`Which instance?`));
  const { instances } = await hosting.listInstances({ freshMs: 1_000 });
  const found = findLoosely(typed, instances);
  if (found.found === 'one') return found.instance;
  if (found.found === 'several') {
    throw new Refusal(
      'several',
      whichInstance(
        'show',
        ROUTE,
        say`${found.instances.length} instances are called "${typed}". Which one?`,
      ),
    );
  }
  if (found.near.length === 0) throw new Refusal('no-such-instance', say`There is no instance "${typed}".`);
  throw new Refusal('no-such-instance', {
    ...whichInstance('show', ROUTE, say`There is no instance "${typed}". Did you mean one of these?`),
    bullets: found.near.map(nameOf),
  });
}

/** Buttons need a record behind them; without Redis the card comes without. */
async function buttonsFor(instance: Instance, offers: OfferStore): Promise<Button[]> {
  const possible = POWERS.filter((power) => refusePower(power, instance) === undefined)
    .slice(-MOST_BUTTONS)
    .toReversed();
  if (possible.length === 0) return [];
  try {
    const offerId = await offers.create(offerOf(instance));
    return possible.map((power) => powerButton(power, offerId));
  } catch {
    return [];
  }
}
