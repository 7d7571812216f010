import { Refusal } from '../errors.ts';
import type { Feature, Route } from '../feature.ts';
import { closest } from './closest.ts';
import { say } from './phrase.ts';
import { splitWords } from './words.ts';

/** A typed line, matched: the route it means and the words left for it. */
export interface Matched {
  readonly route: Route;
  readonly words: readonly string[];
}

/** Every route of the bot, found by what was typed or by the id of what was pressed. */
export interface RouteTable {
  readonly byId: ReadonlyMap<string, Route>;
  /** The command `/instances …`, its noun without slash and prefix. Throws a Refusal for words it doesn't know. */
  matchCommand(noun: string, text: string): Matched;
  /** A mention: `restart web-1`, or `instances restart web-1`. Throws a Refusal. */
  matchMention(text: string): Matched;
}

/** Builds the table. Throws where two routes claim one word or one id. */
export function createRouteTable(features: readonly Feature[]): RouteTable {
  const byId = new Map<string, Route>();
  const byNoun = new Map<string, Feature>();
  const byVerb = new Map<string, Route>();
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
        if (byNoun.has(verb) || own.has(verb) || (first && (first.writes || route.writes))) {
          throw new Error(`two routes claim the word ${verb}`);
        }
        own.add(verb);
        if (!first) byVerb.set(verb, route);
      }
    }
  }

  const routeOf = (id: string): Route => {
    const route = byId.get(id);
    if (!route) throw new Error(`no route ${id}`);
    return route;
  };

  for (const feature of features) routeOf(feature.standard);

  const matchIn = (feature: Feature, first: string | undefined, rest: readonly string[]): Matched => {
    if (first === undefined) return { route: routeOf(feature.standard), words: [] };
    const verb = first.toLowerCase();
    const route = feature.routes.find((one) => typed(one).includes(verb));
    if (route) return { route, words: rest };
    const verbs = feature.routes.flatMap(typed);
    const meant = closest(verb, verbs);
    // `/instances web-1` shows it; a slip of the finger is more likely meant as a verb.
    if (meant === undefined && feature.verbless) {
      const words = [first, ...rest];
      return { route: routeOf(feature.verbless(words)), words };
    }
    throw unknownWord(first, meant);
  };

  const read = (text: string, match: (words: readonly string[]) => Matched): Matched => {
    const { words, doubt } = splitWords(text);
    if (doubt === 'too long')
      throw new Refusal('too-long', say`That is too long for me, so nothing was done.`);
    const matched = match(words);
    if (doubt === 'unmatched quote' && matched.route.writes) {
      throw new Refusal(
        'unmatched-quote',
        say`One quotation mark has no partner, so I am not sure what you mean. Nothing was done.`,
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
        if (first === undefined) return { route: routeOf('lamplighter.help'), words: [] };
        const word = first.toLowerCase();
        const feature = byNoun.get(word);
        if (feature) return matchIn(feature, rest[0], rest.slice(1));
        const route = byVerb.get(word);
        if (route) return { route, words: rest };
        throw unknownWord(first, closest(word, [...byVerb.keys(), ...byNoun.keys()]));
      }),
  };
}

/** The words by which a route is typed; none where it is for buttons alone. */
function typed(route: Route): readonly string[] {
  return route.usage === undefined ? [] : [route.verb, ...(route.aliases ?? [])];
}

function unknownWord(word: string, meant: string | undefined): Refusal {
  return new Refusal(
    'unknown-word',
    meant === undefined
      ? say`I don't know "${word}". Say help to see what you may do.`
      : say`I don't know "${word}". Did you mean ${meant}?`,
  );
}
