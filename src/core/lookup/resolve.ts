import { type Fingerprint, isSame } from '../instances/facts.ts';
import { changed, gone, incompleteWords, nameOf, whichInstance } from '../instances/messages.ts';
import { Refusal } from '../refusal.ts';
import type { Ask } from '../ask/ask.ts';
import type { Instance, InstanceList } from '../../platform/hosting/service.ts';
import type { ButtonToken } from '../offers/offers.ts';
import { ago, isTyped as isTypedAs, type Phrase, say, strong } from '../../platform/slack/phrase.ts';
import type { SlackPlace } from '../../platform/slack/ids.ts';
import { isFilter, refuseUnknownFilter } from '../instances/filter.ts';
import { findExactly, findLoosely, type InstanceMatch } from './find.ts';
import { findNamed } from './in-text.ts';
import { findInList } from './in-list.ts';
import type { Instances } from './sight.ts';

/** What is to be done with the instance that is sought: its word, and the route whose picker offers a choice. */
export interface Verb {
  readonly verb: string;
  readonly routeId: string;
}

/**
 * What a button, a pick or words of `ask` mean, provided that it is one instance. Throws a Refusal; on a dry run one
 * that only lists which there are, because a pick would be the real thing.
 */
export async function resolveAsk(
  { hosting }: { readonly hosting: Instances },
  verb: Verb,
  ask: Ask,
  {
    names,
    dryRun,
    buttonToken,
  }: {
    readonly names: readonly string[];
    readonly dryRun: boolean;
    readonly buttonToken: ButtonToken | undefined;
  },
): Promise<Instance> {
  try {
    if (ask.value !== undefined) return await resolveButtonToken(hosting, verb, buttonToken);
    if (ask.picked !== undefined) return await resolvePicked(hosting, ask.picked);
    const { meant } = ask;
    if (meant && names.length === 1 && names[0] === meant.id) return await resolveShown(hosting, meant);
    return await resolveWords(hosting, verb, names);
  } catch (error) {
    if (!dryRun || !(error instanceof Refusal)) throw error;
    const { picker: _, buttons: __, ...inWords } = error.answer;
    throw new Refusal(error.code, inWords);
  }
}

/** The instance that was shown, provided that it is still the same one. Throws a Refusal. */
export async function resolveShown(hosting: Instances, shown: Fingerprint): Promise<Instance> {
  const instance = await hosting.findInstance(shown.id);
  if (!instance) throw new Refusal('gone', gone(shown));
  if (!isSame(shown, instance)) throw new Refusal('changed', changed(shown));
  return instance;
}

const MAX_LISTED = 5;

/** A no that says as well that it is made from a list which is incomplete, or was read a while ago. */
function withGap(no: Refusal, { incomplete, readAtMs }: InstanceList): Refusal {
  const gaps = [
    ...(incomplete
      ? [say`${incompleteWords(incomplete, 'instances')} If it is one of the others, give me its id.`]
      : []),
    ...(readAtMs === undefined
      ? []
      : [say`I last read the list ${ago(readAtMs)}. If it is newer than that, give me its id.`]),
  ];
  return gaps.length === 0
    ? no
    : new Refusal(no.code, { ...no.answer, lines: [...no.answer.lines, ...gaps] });
}

/**
 * The one instance that a write's words mean: its exact id, or its exact name in a list that is not certain to lack
 * some. Anything else throws a Refusal that offers a picker, and never guesses.
 */
async function resolveWords(hosting: Instances, verb: Verb, words: readonly string[]): Promise<Instance> {
  const pick = (code: Refusal['code'], why: Phrase, those: readonly Instance[] = []): Refusal =>
    refusalToPick(verb, code, why, those);
  if (words.length === 0) throw pick('no-name', say`Which instance do you want to ${verb.verb}?`);
  if (words.some(isFilter)) {
    throw new Refusal(
      'one-at-a-time',
      say`I can ${verb.verb} one instance at a time: give me its name or id, not a filter.`,
    );
  }
  const whole = words.join(' ');
  const { found, list } = await findInList(hosting, whole, (all) => findExactly(whole, all));
  if (found.found === 'one') {
    if (list.incomplete?.isCertain && isByNameAlone(whole, found.instance)) {
      const why = say`${nameOf(found.instance)} is called that, and one that I couldn't read may be, too, so nothing was done. Which one do you want to ${verb.verb}? An id says which.`;
      throw withGap(pick('name-not-certain', why), list);
    }
    return found.instance;
  }
  if (found.found === 'several') {
    throw pick(
      'several',
      say`${found.instances.length} instances are called "${whole}". Which one do you want to ${verb.verb}?`,
      found.instances,
    );
  }
  if (found.found === 'contradiction') throw contradiction(verb, found);
  if (words.length > 1 && words.every((word) => findExactly(word, list.instances).found !== 'none')) {
    throw new Refusal('one-at-a-time', say`I can ${verb.verb} one instance at a time. Ask once for each.`);
  }
  if (found.near.length === 0) refuseUnknownFilter(words);
  const none = pick(
    'no-such-name',
    say`No instance has exactly the name or id "${whole}". Which one do you want to ${verb.verb}?`,
    found.near,
  );
  throw withGap(none, list);
}

/** Whether nothing but its name says that this instance is meant. */
function isByNameAlone(typed: string, { id, name }: Instance): boolean {
  return typed === name && typed !== id;
}

/** The id belongs to another instance than the name. */
function contradiction(verb: Verb, found: Extract<InstanceMatch, { found: 'contradiction' }>): Refusal {
  const { instance, name, named } = found;
  return refusalToPick(
    verb,
    'contradiction',
    say`${instance.id} is the id of ${strong(instance.name)}, not of "${name}". Which one do you want to ${verb.verb}?`,
    [instance, ...named],
  );
}

/** The instance that a read's words mean. Throws a Refusal that offers those that are near. */
export async function resolveLoosely(hosting: Instances, verb: Verb, typed: string): Promise<Instance> {
  return (await foundLoosely(hosting, verb, typed)).instance;
}

/** The same as it is now, by its id. */
export async function resolveNow(hosting: Instances, verb: Verb, typed: string): Promise<Instance> {
  const { instance, isReadNow } = await foundLoosely(hosting, verb, typed);
  return isReadNow ? instance : readById(hosting, instance.id);
}

/** One instance by its id. Throws a Refusal where there is none. */
export async function readById(hosting: Instances, id: string): Promise<Instance> {
  const instance = await hosting.findInstance(id);
  if (!instance) throw new Refusal('gone', say`There is no instance ${id} any more.`);
  return instance;
}

async function foundLoosely(
  hosting: Instances,
  verb: Verb,
  typed: string,
): Promise<{ readonly instance: Instance; readonly isReadNow: boolean }> {
  const pick = (code: Refusal['code'], why: Phrase, those: readonly Instance[] = []): Refusal =>
    refusalToPick(verb, code, why, those);
  if (typed === '') throw pick('no-name', say`Which instance?`);
  const { found, list, isReadNow } = await findInList(hosting, typed, (all) => findLoosely(typed, all));
  if (found.found === 'one') return { instance: found.instance, isReadNow };
  if (found.found === 'several') {
    throw pick(
      'several',
      say`${found.instances.length} instances are called "${typed}". Which one?`,
      found.instances,
    );
  }
  if (found.found === 'contradiction') throw contradiction(verb, found);
  const [byHost, another] = typed.includes('.') ? await findNamed(hosting, typed, list.instances) : [];
  if (byHost && !another) return { instance: byHost, isReadNow: false };
  if (found.near.length === 0) refuseUnknownFilter([typed]);
  const ask = found.near.length === 0 ? say`` : say` Did you mean one of these?`;
  const none = pick('no-such-instance', say`There is no instance "${typed}".${ask}`, found.near);
  throw withGap(none, list);
}

/** The instance that was picked, by its id alone: another one may bear that id as its name. */
export async function resolvePicked(hosting: Instances, instanceId: string): Promise<Instance> {
  const instance = await hosting.findInstance(instanceId);
  if (!instance)
    throw new Refusal('gone', say`There is no instance ${instanceId} any more, so nothing was done.`);
  return instance;
}

/** The instance that a button stands for, provided that it is still the same one. Throws a Refusal with a fresh choice. */
async function resolveButtonToken(
  hosting: Instances,
  verb: Verb,
  buttonToken: ButtonToken | undefined,
): Promise<Instance> {
  const pick = (code: Refusal['code'], why: Phrase): Refusal => refusalToPick(verb, code, why);
  if (!buttonToken)
    throw pick(
      'button-expired',
      say`That button is too old, so nothing was done. Which instance do you want to ${verb.verb}?`,
    );
  const was = nameOf({ id: buttonToken.instanceId, name: buttonToken.name });
  const instance = await hosting.findInstance(buttonToken.instanceId);
  if (!instance)
    throw pick(
      'gone',
      say`${was} no longer exists, so nothing was done. Which instance do you want to ${verb.verb}?`,
    );
  if (instance.createdAt !== buttonToken.createdAt || instance.name !== buttonToken.name) {
    throw pick(
      'changed',
      say`${was} has been renamed or replaced since this button was made, so nothing was done. Which one do you want to ${verb.verb}?`,
    );
  }
  return instance;
}

/** What a button is to stand for. */
export function buttonTokenOf(instance: Instance): ButtonToken {
  const { id, name, createdAt } = instance;
  return { instanceId: id, name, createdAt };
}

/** What a button stands for that does again, with this one instance, what was asked at a place, and why it was asked. */
export function buttonTokenToRepeat(
  instance: Instance,
  {
    args = {},
    because,
    place,
    exceptFrom,
  }: {
    readonly args?: ButtonToken['args'];
    readonly because?: string;
    readonly place: SlackPlace;
    readonly exceptFrom?: readonly string[];
  },
): ButtonToken {
  return {
    ...buttonTokenOf(instance),
    ...(Object.keys(args).length === 0 ? {} : { args }),
    repeats: { place, because, ...(exceptFrom ? { exceptFrom: [...exceptFrom] } : {}) },
  };
}

/** A no with a picker, and in words those that may be meant. */
function refusalToPick(
  { verb, routeId }: Verb,
  code: Refusal['code'],
  why: Phrase,
  those: readonly Instance[] = [],
): Refusal {
  const bullets = those.length === 0 ? {} : { bullets: those.slice(0, MAX_LISTED).map(nameOf) };
  return new Refusal(code, { ...whichInstance(verb, routeId, why), ...bullets });
}

/** Whether the words typed into a modal are `text`. */
export function isTyped(ask: Ask, text: string): boolean {
  return ask.typed !== undefined && isTypedAs(ask.typed, text);
}
