import { asTyped } from '../ask/words.ts';
import { isFilter, needsAddons, parseFilters } from '../instances/filter.ts';
import { nameOf } from '../instances/messages.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import type { Message } from '../../platform/slack/message.ts';
import { join, type Phrase, plain, say } from '../../platform/slack/phrase.ts';
import { withMentions } from '../../platform/slack/message-text.ts';
import { Refusal } from '../refusal.ts';
import { EVERY } from '../sentences/read-described.ts';
import { ONE_AT_A_TIME } from '../sentences/tables.ts';
import type { Route, Shown } from './route.ts';

const MAX_LABEL = 75;
export const IN_TURN = ', one at a time';
const ALL = 'all instances';
const MAX_READ = 100;
const MAX_UNREAD = 40;

/** How a line was read: nothing of it is silently taken for something else. `known`: those whose ids may be among the words. */
export function readAs(
  { verb, namesPeople }: Pick<Route, 'verb' | 'namesPeople'>,
  words: readonly string[],
  known: readonly Pick<Instance, 'id' | 'name'>[],
  unread: readonly string[],
): Phrase {
  const left = unread.length === 0 ? say`` : say`, without "${plain(unread.join(' '), MAX_UNREAD)}"`;
  const named = words.map((word) => known.find(({ id }) => id === word)?.name ?? word);
  const read = plain([verb, asTyped(named)].join(' ').trim(), MAX_READ);
  return say`I read that as "${namesPeople ? withMentions(read) : read}"${left}.`;
}

/** What a button does, exactly: "Restart web-1 (101)". */
export async function labelOf(
  route: Shown,
  typed: readonly string[],
  about: readonly Pick<Instance, 'id' | 'name'>[],
): Promise<string> {
  const inTurn = withoutInTurn(typed);
  if (inTurn) {
    const all = await labelOf(route, inTurn, about);
    return `${all.slice(0, MAX_LABEL - IN_TURN.length)}${IN_TURN}`;
  }
  const { verb, namesPeople, namesChannels } = route;
  const words = namesPeople ? typed.filter((word) => !isPerson(word)) : typed;
  const named = (word: string): string => {
    if ((namesPeople || namesChannels) && isChannel(word)) return 'that channel';
    const instance = about.find(({ id }) => id === word);
    return instance ? `${plain(instance.name, 30)} (${instance.id})` : plain(asTyped([word]), 60);
  };
  const own = await ownLabel(route, typed, named);
  if (own !== undefined) return plain(own, MAX_LABEL);
  const start = `${verb.slice(0, 1).toUpperCase()}${verb.slice(1)}`;
  const isNamed = (word: string | undefined): boolean => about.some(({ id }) => id === word);
  const label = inWords(
    start,
    words,
    (word, at) => (at === 0 ? allOf(word) : undefined) ?? named(word),
    isNamed,
  );
  if (label.length <= MAX_LABEL) return label;
  const ids = words.filter(isNamed);
  const rest = words.filter((word) => !ids.includes(word));
  return plain(
    [start, ids.length > 1 ? `${ids.length} instances` : '', ...rest.map(named)]
      .filter((part) => part !== '')
      .join(' '),
    MAX_LABEL,
  );
}

/** The words of several that are to be done one at a time, without saying so; undefined of others. */
export function withoutInTurn(typed: readonly string[]): readonly string[] | undefined {
  const isInTurn = ONE_AT_A_TIME.every((word, at) => typed.at(at - ONE_AT_A_TIME.length) === word);
  return isInTurn ? typed.slice(0, -ONE_AT_A_TIME.length) : undefined;
}

/** `start` and the words behind it, with a comma between two that are named. */
export function inWords(
  start: string,
  words: readonly string[],
  shown: (word: string, at: number) => string,
  isNamed: (word: string | undefined, at: number) => boolean,
): string {
  return words.reduce((before, word, at) => {
    const between = isNamed(word, at) && isNamed(words[at - 1], at - 1) ? ', ' : ' ';
    return `${before}${between}${shown(word, at)}`;
  }, start);
}

/**
 * The label of what is done with all that pass filters, with how many of `known` do now; the same label where no filters say it.
 * `now`: Unix ms.
 */
export function withCount(
  label: string,
  words: readonly string[],
  known: readonly Instance[],
  now: number,
): string {
  if (words.length === 0 || !words.every(isFilter) || needsAddons(words)) return label;
  const count = known.filter(parseFilters(words, now)).length;
  const everyone = ` ${ALL}`;
  if (count > 0 && label.endsWith(everyone))
    return `${label.slice(0, -everyone.length)} all ${count} ${count === 1 ? 'instance' : 'instances'}`;
  const suffix = ` (${count} ${count === 1 ? 'instance' : 'instances'})`;
  return `${plain(label, MAX_LABEL - suffix.length)}${suffix}`;
}

/** Instances by a pattern alone, as people say it; undefined for any other word. */
function allOf(word: string): string | undefined {
  if (word === EVERY) return ALL;
  const [, pattern] = /^name:([\w.*-]+)$/.exec(word) ?? [];
  return pattern && `all ${pattern}`;
}

/** What the route itself says; undefined where it says nothing, or can't read the words. */
async function ownLabel(
  { label }: Shown,
  words: readonly string[],
  named: (word: string) => string,
): Promise<string | undefined> {
  try {
    return await label?.(words, named);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Whether a word is the id of a person or a group, which no button can show by name. */
function isPerson(word: string): boolean {
  return /^[UWS](?=.*\d)[A-Z0-9_]{8,63}$/.test(word);
}

/** Whether a word is the id of a channel, which only a route that knows its name can show. */
function isChannel(word: string): boolean {
  return /^C(?=.*\d)[A-Z0-9_]{8,63}$/.test(word);
}

/** `count`: how many buttons there are. `people`: what is asked, where it names people, whom no button can show. */
export function doYouWant(count: number, people: string | undefined): Phrase {
  if (count === 1 && people !== undefined)
    return say`Is this what you want: ${withMentions(plain(people, MAX_READ))}? Nothing has started yet.`;
  return count === 1
    ? say`Is this what you want? Nothing has started yet.`
    : say`These are ${count} things. Press what you want; nothing has started yet.`;
}

/** Says of names that there are none; nothing without any. */
export function noneCalled(unknown: readonly string[]): readonly Phrase[] {
  if (unknown.length === 0) return [];
  const named = join(
    unknown.map((word) => say`"${plain(word, MAX_UNREAD)}"`),
    ' or ',
  );
  return [say`There is no instance ${named}.`];
}

/** Says what was said beside a change, which does nothing with it. */
export function saidApart(apart: readonly string[]): readonly Phrase[] {
  return apart.length === 0 ? [] : [say`That leaves out "${plain(apart.join(', '), MAX_UNREAD)}".`];
}

export function whichOne(): Phrase {
  return say`Which one do you mean? Nothing has started yet.`;
}

/** `cannot`: what is asked for, after "I can't". */
export function cannotDo(
  cannot: string,
  about: readonly Instance[],
  buttons: NonNullable<Message['buttons']>,
): Message {
  const [only, ...others] = about;
  const instead = only && others.length === 0 ? say` Here is what I can show you of ${nameOf(only)}.` : say``;
  return { lines: [say`I can't ${cannot}.${instead}`], ...(buttons.length > 0 ? { buttons } : {}) };
}

/** Somebody says yes in a word. */
export function pressForYes(): Message {
  return {
    lines: [say`I begin nothing by a word alone. If I asked you something, press the button under it.`],
  };
}

/** Somebody says that nothing is to be called off. */
export function nothingCanceled(): Message {
  return { lines: [say`I canceled nothing. What waits for your answer still does.`] };
}

export function youAreWelcome(): Message {
  return { lines: [say`Any time.`] };
}
