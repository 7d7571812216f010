import { Refusal } from '../refusal.ts';
import type { Message } from '../../platform/slack/message.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { isSmallWord } from '../sentences/tables.ts';
import { closest } from '../ask/closest.ts';
import type { Ask } from '../ask/ask.ts';
import type { Route } from './route.ts';
import { getRoute, HELP, type Noun, type RouteIndex, type Vocabulary } from './route-index.ts';

/** A typed line, matched: the route it means and the words left for it. */
export interface Matched {
  readonly route: Route;
  readonly words: readonly string[];
  /** The same words to the letter, where one of them was cleaned. */
  readonly letters?: readonly string[];
  /** The words came without a verb; the first may be meant as one. */
  readonly isVerbless?: true;
  /** All that was typed. */
  readonly line?: string;
}

/** The part of an ask that a typed line gives. */
export function askedBy({
  route,
  words,
  letters,
  isVerbless,
  line,
}: Matched): Pick<Ask, 'route' | 'words' | 'letters' | 'isVerbless' | 'line'> {
  return {
    route: route.id,
    words: [...words],
    ...(letters ? { letters: [...letters] } : {}),
    ...(isVerbless ? { isVerbless: true } : {}),
    ...(line === undefined ? {} : { line }),
  };
}

/** What is matched, or what the person reads about a line that means nothing. */
export function matchOrSay(match: () => Matched): Matched | Message {
  try {
    return match();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.answer;
  }
}

/** What people say before they say what they want; a wave or a question mark says as much. */
const GREETING =
  /^(?:(?:hi|hiya|hello|hey|yo|howdy|(?:good )?(?:morning|afternoon|evening))(?: (?:there|again|all|team|bot|lamplighter))?)?(?:[\s!?.,]|:[\w+-]+:|\p{Extended_Pictographic}|\uFE0F)*$/iu;
const HELP_FLAGS = ['--help', '-h'];

/** Words after a noun: `restart web-1`. Throws a Refusal for a verb that the noun doesn't have. */
export function matchAfterNoun(index: RouteIndex, noun: Noun, words: readonly string[]): Matched {
  const { feature, byVerb } = noun;
  const [first, ...rest] = words;
  if (first === undefined) return { route: getRoute(index, feature.default), words: [] };
  const verb = first.toLowerCase();
  const found = findVerb(byVerb, words, (route) => route);
  if (found) return matchVerb(index, feature.noun, found.what, found.rest);
  if (isHelpWord(first)) return helpOn(index, [feature.noun, ...rest]);
  // `/instances web-1` shows it; with more words a slip of the finger is more likely meant as a verb.
  if (feature.verbless && (rest.length === 0 || meantVerb(verb, noun) === undefined)) {
    return { route: getRoute(index, feature.verbless(words)), words, isVerbless: true };
  }
  throw unknownWord(first, hintAfterNoun(index, noun, verb, rest));
}

/** Words with or without a noun: `restart web-1`, `instances restart web-1`. Throws a Refusal. */
export function matchAnywhere(index: RouteIndex, words: readonly string[]): Matched {
  const [first, ...rest] = words;
  const now = index.byService.get('now');
  if (now && (first === undefined || GREETING.test(words.join(' ')))) return { route: now, words: [] };
  if (first === undefined || HELP_FLAGS.includes(first.toLowerCase())) return helpOn(index, rest);
  const word = first.toLowerCase();
  // Somebody who types a slash command where there are none means the same.
  const noun = index.byNoun.get(word.replace(/^\//, ''));
  if (noun) return matchAfterNoun(index, noun, rest);
  const found = findVerb(index.byVerb, words, ({ route }) => route);
  if (found) return matchVerb(index, found.what.feature.noun, found.what.route, found.rest);
  const meant =
    meantVerb(word, index) ?? (isSmallWord(word) ? undefined : closest(word, [...index.byNoun.keys()]));
  throw unknownWord(first, meant === undefined ? say`` : didYouMean(meant, rest));
}

/**
 * What words begin with, and those after it: a verb, also one with a hyphen in two words, as "on call" of on-call. What follows
 * two words that take none makes a sentence of them: "top up 500 credits".
 */
function findVerb<What>(
  byVerb: ReadonlyMap<string, What>,
  [first = '', ...rest]: readonly string[],
  routeOf: (what: What) => Route,
): { readonly what: What; readonly rest: readonly string[] } | undefined {
  const verb = first.toLowerCase();
  const what = byVerb.get(verb);
  if (what) return { what, rest };
  const [second = '', ...others] = rest;
  const ofTwo = byVerb.get(`${verb}-${second.toLowerCase()}`);
  const takesThem = ofTwo && (others.length === 0 || routeOf(ofTwo).usage !== '');
  return takesThem ? { what: ofTwo, rest: others } : undefined;
}

/** Which verb of this noun or of another a lower-case word may mean, or which verbs this noun has. */
export function hintAfterNoun(index: RouteIndex, noun: Noun, word: string, rest: readonly string[]): Phrase {
  const meant = meantVerb(word, noun);
  if (meant !== undefined) return didYouMean(meant, rest);
  const elsewhere = index.byVerb.get(word);
  if (elsewhere) return didYouMean(`${elsewhere.feature.noun} ${elsewhere.route.verb}`, rest);
  return noun.verbsWords;
}

/** The route of a verb, or help about it: `restart --help`, `restart web-1 -h`, `restart help`. */
function matchVerb(index: RouteIndex, noun: string, route: Route, rest: readonly string[]): Matched {
  const isHelp =
    rest.some((word) => HELP_FLAGS.includes(word.toLowerCase())) ||
    (rest.length === 1 && isHelpWord(rest[0]));
  if (!isHelp || route.serves === 'help') return { route, words: rest };
  const topics = new Set(route.topics?.flatMap(({ words }) => words));
  return helpOn(index, [noun, route.verb, ...rest.filter((word) => topics.has(word.toLowerCase()))]);
}

function helpOn(index: RouteIndex, words: readonly string[]): Matched {
  const route = index.byService.get('help');
  if (!route) throw new Error('no route serves as help');
  return { route, words };
}

function isHelpWord(word: string | undefined): boolean {
  return word !== undefined && [HELP, ...HELP_FLAGS].includes(word.toLowerCase());
}

/** The verb, or help, that a lower-case word is a slip of the finger from; what is a word of the language is none. */
function meantVerb(word: string, { verbs }: Vocabulary): string | undefined {
  return isSmallWord(word) ? undefined : closest(word, [...verbs, HELP]);
}

function didYouMean(meant: string, rest: readonly string[]): Phrase {
  const so = rest.length === 0 ? say`` : say` Then say: ${[meant, ...rest].join(' ')}`;
  return say`Did you mean ${meant}?${so}`;
}

function unknownWord(word: string, hint: Phrase): Refusal {
  const more = hint.length === 0 ? say`` : say` ${hint}`;
  // The id of a person says nothing to anybody.
  const unknown = /^[UWS](?=.*\d)[A-Z0-9_]{8,63}$/.test(word)
    ? say`I can't tell what that asks me for.`
    : say`I don't know "${word}".`;
  return new Refusal('unknown-word', say`${unknown}${more}`);
}
