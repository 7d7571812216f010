import { Refusal } from '../errors.ts';
import type { HostingService, Instance, Power } from '../hosting/service.ts';
import { type Offer, OFFER_LIFE_MS, type OfferStore } from '../operations/offer-store.ts';
import type { Operation } from '../operations/operation.ts';
import { type Phrase, say } from '../slack/phrase.ts';
import { isFilter } from './filter.ts';
import { findExactly } from './instance.ts';
import { nameOf, whichInstance } from './messages.ts';

/** A name read a second ago serves as well: what is asked then goes to the id, and a re-created name has another. */
const FRESH_MS = 1_000;

/**
 * The one instance that a write's words mean: its exact id or exact name. Anything else throws a Refusal that
 * offers a picker, and never guesses.
 */
export async function resolveWords(
  hosting: HostingService,
  power: Power,
  words: readonly string[],
): Promise<Instance> {
  const routeId = `instances.${power}`;
  const pick = (code: string, why: Phrase): Refusal => new Refusal(code, whichInstance(power, routeId, why));
  if (words.length === 0) throw pick('no-name', say`Which instance do you want to ${power}?`);
  if (words.some(isFilter)) {
    throw new Refusal(
      'one-at-a-time',
      say`I can ${power} one instance at a time: give me its name or id, not a filter.`,
    );
  }
  const { instances } = await hosting.listInstances({ freshMs: FRESH_MS });
  const whole = words.join(' ');
  const found = findExactly(whole, instances);
  if (found.found === 'one') return found.instance;
  if (found.found === 'several') {
    throw pick(
      'several',
      say`${found.instances.length} instances are called "${whole}". Which one do you want to ${power}?`,
    );
  }
  if (words.length > 1 && words.every((word) => findExactly(word, instances).found !== 'none')) {
    throw new Refusal('one-at-a-time', say`I can ${power} one instance at a time. Ask once for each.`);
  }
  throw pick(
    'no-such-name',
    say`No instance has exactly the name or id "${whole}", and I don't guess. Which one do you want to ${power}?`,
  );
}

/** The instance that was picked, by its id alone: another one may bear that id as its name. */
export async function resolvePicked(hosting: HostingService, instanceId: string): Promise<Instance> {
  const instance = await hosting.findInstance(instanceId);
  if (!instance)
    throw new Refusal('gone', say`There is no instance ${instanceId} any more, so nothing was done.`);
  return instance;
}

/** The instance that a button stands for, provided that it is still the same one. Throws a Refusal with a fresh choice. */
export async function resolveOffer(
  hosting: HostingService,
  power: Power,
  offer: Offer | undefined,
): Promise<Instance> {
  const pick = (code: string, why: Phrase): Refusal =>
    new Refusal(code, whichInstance(power, `instances.${power}`, why));
  if (!offer)
    throw pick(
      'button-expired',
      say`That button is too old, so nothing was done. Which instance do you want to ${power}?`,
    );
  const was = nameOf({ id: offer.instanceId, name: offer.name });
  const instance = await hosting.findInstance(offer.instanceId);
  if (!instance)
    throw pick(
      'gone',
      say`${was} is there no more, so nothing was done. Which instance do you want to ${power}?`,
    );
  if (instance.createdAt !== offer.createdAt || instance.name !== offer.name) {
    throw pick(
      'changed',
      say`${was} is not the instance any more that this button was for, so nothing was done. Which one do you want to ${power}?`,
    );
  }
  return instance;
}

/** What a button is to stand for. */
export function offerOf(instance: Instance): Offer {
  const { id, name, createdAt } = instance;
  return { instanceId: id, name, ...(createdAt === undefined ? {} : { createdAt }) };
}

/** The offer behind a button's value; "Restart anew" carries the operation whose end nobody knows, for as long. */
export async function findOffer(
  value: string,
  offers: OfferStore,
  findOperation: (id: string) => Promise<Operation | undefined>,
): Promise<Offer | undefined> {
  const offer = await offers.find(value);
  if (offer) return offer;
  const operation = await findOperation(value);
  if (operation?.outcome?.code !== 'lost' || Date.now() - operation.outcome.at > OFFER_LIFE_MS)
    return undefined;
  const { id, name, createdAt } = operation.subject;
  return { instanceId: id, name, ...(createdAt === undefined ? {} : { createdAt }) };
}
