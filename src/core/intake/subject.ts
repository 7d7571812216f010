import type { Batches } from '../batches/batches.ts';
import { names } from '../batches/words.ts';
import { PREVIEWS } from '../batches/preview.ts';
import { BUTTON_TOKENS, type Offers } from '../offers/offers.ts';
import { CONFIRMATIONS } from '../offers/confirmation.ts';
import type { Operations } from '../operations/operations.ts';
import type { Access } from '../policy/access.ts';
import { nameOf } from '../instances/messages.ts';
import type { Ask } from '../ask/ask.ts';
import type { HostingService } from '../../platform/hosting/service.ts';
import type { Phrase } from '../../platform/slack/phrase.ts';

/** What a button or a modal is about, in words: "web-1 (101)". `names`: what a text must hold to say so by itself. */
export interface Subject {
  readonly words: Phrase;
  readonly names: readonly string[];
}

/** The instances that the value of a button or a modal stands for, whatever record is behind it. */
export type FindSubject = (value: string) => Promise<Subject | undefined>;

/** An instance as people know it. */
export type Named = Readonly<Record<'id' | 'name', string>>;

/**
 * The instances that words name by their ids, as they were read last, where this person may see them: to say what is asked, never
 * to do it. None where that can't be known. Asks the service nothing.
 */
export type FindNamed = (
  ask: Pick<Ask, 'actor' | 'place'>,
  words: readonly string[],
) => Promise<readonly Named[]>;

export function createFindNamed({
  hosting,
  access,
}: {
  readonly hosting: Pick<HostingService, 'findLastList'>;
  readonly access: Pick<Access, 'which'>;
}): FindNamed {
  return async ({ actor, place }, words) => {
    const all = words.length === 0 ? [] : ((await hosting.findLastList())?.instances ?? []);
    const named = all.filter(({ id, name }) => id !== name && words.includes(id));
    return named.length === 0
      ? []
      : named.filter(await access.which(actor, 'instances:read', place.channelId));
  };
}

/** So many of several are named. */
const MAX_NAMED = 3;

export function createFindSubject(deps: {
  offers: Pick<Offers, 'find'>;
  operations: Pick<Operations, 'find'>;
  batches: Pick<Batches, 'find'>;
}): FindSubject {
  return async (value) => {
    const [{ what: buttonToken }, { what: confirmation }, operation, { what: preview }, batch] =
      await Promise.all([
        deps.offers.find(BUTTON_TOKENS, value),
        deps.offers.find(CONFIRMATIONS, value),
        deps.operations.find(value),
        deps.offers.find(PREVIEWS, value),
        deps.batches.find(value),
      ]);
    if (buttonToken) return one({ id: buttonToken.instanceId, name: buttonToken.name });
    const instance = confirmation?.instance ?? operation?.subject;
    if (instance) return one(instance);
    const several = preview?.chosen ?? batch?.items.map(({ subject }) => subject);
    return several && { words: names(several, MAX_NAMED), names: [] };
  };
}

function one(instance: { readonly id: string; readonly name: string }): Subject {
  return { words: nameOf(instance), names: [instance.name] };
}
