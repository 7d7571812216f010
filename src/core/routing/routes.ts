import { Refusal } from '../refusal.ts';
import { isWrite, type Route } from './route.ts';
import type { Feature } from './feature.ts';
import { closest } from './closest.ts';
import { type Phrase, plain, say } from '../../platform/slack/phrase.ts';
import { splitWords } from './words.ts';

/** A typed line, matched: the route it means and the words left for it. */
export interface Matched {
  readonly route: Route;
  readonly words: readonly string[];
  /** The words came without a verb; the first may be meant as one. */
  readonly isVerbless?: true;
}

/** Every route of the bot, found by what was typed or by the id of what was pressed. */
export interface RouteTable {
  readonly byId: ReadonlyMap<string, Route>;
  /** The command `/instances …`, its noun without slash and prefix. Throws a Refusal for words it doesn't know. */
  matchCommand(noun: string, text: string): Matched;
  /** A mention: `restart web-1`, or `instances restart web-1`. Throws a Refusal. */
  matchMention(text: string): Matched;
  /** Which verb of the noun of `routeId` an unknown word may mean, or which verbs there are. */
  verbHint(routeId: string, word: string): Phrase;
}

const HELP_ROUTE = 'lamplighter.help';
const HELP_FLAGS = ['--help', '-h'];

/** Builds the table. Throws where two routes claim one word or one id. */
export function createRouteTable(features: readonly Feature[]): RouteTable {
  const { byId, byNoun, byVerb } = indexOf(features);

  const routeOf = (id: string): Route => {
    const route = byId.get(id);
    if (!route) throw new Error(`no route ${id}`);
    return route;
  };

  for (const feature of features) routeOf(feature.standard);

  const helpOn = (words: readonly string[]): Matched => ({ route: routeOf(HELP_ROUTE), words });

  /** The route of a verb, or help about it: `restart --help`, `restart web-1 -h`, `restart help`. */
  const matchVerb = (feature: Feature, route: Route, rest: readonly string[]): Matched => {
    const isHelp =
      rest.some((word) => HELP_FLAGS.includes(word.toLowerCase())) ||
      (rest.length === 1 && isHelpWord(rest[0]));
    if (!isHelp || route.id === HELP_ROUTE) return { route, words: rest };
    const topics = new Set(route.topics?.flatMap(({ words }) => words));
    return helpOn([feature.noun, route.verb, ...rest.filter((word) => topics.has(word.toLowerCase()))]);
  };

  const matchIn = (feature: Feature, first: string | undefined, rest: readonly string[]): Matched => {
    if (first === undefined) return { route: routeOf(feature.standard), words: [] };
    const verb = first.toLowerCase();
    const route = feature.routes.find((one) => typed(one).includes(verb));
    if (route) return matchVerb(feature, route, rest);
    if (isHelpWord(first)) return helpOn([feature.noun, ...rest]);
    // `/instances web-1` shows it; with more words a slip of the finger is more likely meant as a verb.
    if (feature.verbless && (rest.length === 0 || meantVerb(verb, feature.routes) === undefined)) {
      const words = [first, ...rest];
      return { route: routeOf(feature.verbless(words)), words, isVerbless: true };
    }
    throw unknownWord(first, hintIn(feature, verb, rest));
  };

  /** Which verb of this noun or of another is meant, or which verbs this noun has. */
  const hintIn = ({ routes }: Feature, word: string, rest: readonly string[]): Phrase => {
    const meant = meantVerb(word, routes);
    if (meant !== undefined) return didYouMean(meant, rest);
    const elsewhere = byVerb.get(word);
    if (elsewhere) return didYouMean(`${elsewhere.feature.noun} ${elsewhere.route.verb}`, rest);
    const verbs = routes.filter(({ usage }) => usage !== undefined).map(({ verb }) => verb);
    return say`The verbs are ${verbs.filter((verb) => verb !== 'help').join(', ')} and help.`;
  };

  const read = (text: string, match: (words: readonly string[]) => Matched): Matched => {
    const { words, doubt } = splitWords(text);
    if (doubt === 'too long')
      throw new Refusal(
        'too-long',
        say`That is too long for me, so nothing was done: ${plain(words.join(' '), 80)}`,
      );
    const matched = match(words);
    if (doubt === 'unmatched quote' && isWrite(matched.route, matched.words)) {
      throw new Refusal(
        'unmatched-quote',
        say`There is an unclosed quotation mark in ${words.join(' ')}, so nothing was done.`,
      );
    }
    return matched;
  };

  return {
    byId,
    matchCommand: (noun, text) => {
      const feature = byNoun.get(noun);
      if (!feature) throw new Refusal('unknown-command', say`I don't know the command /${noun}.`);
      return read(text, ([first, ...rest]) => matchIn(feature, first, rest));
    },
    matchMention: (text) =>
      read(text, ([first, ...rest]) => {
        if (first === undefined || HELP_FLAGS.includes(first.toLowerCase())) return helpOn(rest);
        const word = first.toLowerCase();
        const feature = byNoun.get(word);
        if (feature) return matchIn(feature, rest[0], rest.slice(1));
        const found = byVerb.get(word);
        if (found) return matchVerb(found.feature, found.route, rest);
        const routes = features.flatMap((one) => one.routes);
        const meant = meantVerb(word, routes) ?? closest(word, [...byNoun.keys()]);
        throw unknownWord(
          first,
          meant === undefined ? say`Say help to see what you may do.` : didYouMean(meant, rest),
        );
      }),
    verbHint: (routeId, word) => {
      const feature = features.find(({ routes }) => routes.some(({ id }) => id === routeId));
      return feature ? hintIn(feature, word.toLowerCase(), []) : say``;
    },
  };
}

/** The words by which a route is typed; none where it is for buttons alone. */
function typed(route: Route): readonly string[] {
  return route.usage === undefined ? [] : [route.verb, ...(route.aliases ?? [])];
}

function isHelpWord(word: string | undefined): boolean {
  return word !== undefined && ['help', ...HELP_FLAGS].includes(word.toLowerCase());
}

/** The verb that a lower-case word is another word for, or a slip of the finger from. */
function meantVerb(word: string, routes: readonly Route[]): string | undefined {
  const route = routes.find(({ synonyms = [] }) => synonyms.includes(word));
  return route?.verb ?? closest(word, routes.flatMap(typed));
}

function didYouMean(meant: string, rest: readonly string[]): Phrase {
  const so = rest.length === 0 ? say`` : say` Then say: ${[meant, ...rest].join(' ')}`;
  return say`Did you mean ${meant}?${so}`;
}

function unknownWord(word: string, hint: Phrase): Refusal {
  return new Refusal('unknown-word', say`I don't know "${word}". ${hint}`);
}

interface Index {
  readonly byId: ReadonlyMap<string, Route>;
  readonly byNoun: ReadonlyMap<string, Feature>;
  /** What a verb without a noun means. */
  readonly byVerb: ReadonlyMap<string, { readonly feature: Feature; readonly route: Route }>;
}

/** Every route by the words that it claims. Throws where two claim one. */
function indexOf(features: readonly Feature[]): Index {
  const byId = new Map<string, Route>();
  const byNoun = new Map<string, Feature>();
  const byVerb = new Map<string, { feature: Feature; route: Route }>();
  for (const feature of features) {
    if (byNoun.has(feature.noun) || byVerb.has(feature.noun)) {
      throw new Error(`two routes claim the word ${feature.noun}`);
    }
    byNoun.set(feature.noun, feature);
    const own = new Set<string>();
    for (const route of feature.routes) {
      if (byId.has(route.id)) throw new Error(`two routes claim the id ${route.id}`);
      byId.set(route.id, route);
      for (const verb of typed(route)) {
        const first = byVerb.get(verb);
        // What only reads may share a word; without a noun it means the first noun's.
        if (byNoun.has(verb) || own.has(verb) || (first && (mayWrite(first.route) || mayWrite(route)))) {
          throw new Error(`two routes claim the word ${verb}`);
        }
        own.add(verb);
        if (!first) byVerb.set(verb, { feature, route });
      }
    }
    for (const synonym of feature.routes.flatMap(({ synonyms = [] }) => synonyms)) {
      if (own.has(synonym)) throw new Error(`two routes claim the word ${synonym}`);
      own.add(synonym);
    }
  }
  return { byId, byNoun, byVerb };
}

/** Whether some words of the route change something. */
function mayWrite({ writes }: Route): boolean {
  return writes !== false;
}
