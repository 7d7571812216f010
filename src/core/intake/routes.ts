import { Refusal } from '../refusal.ts';
import { type Phrase, plain, say } from '../../platform/slack/phrase.ts';
import { type Feature, isWrite, type Route, type Service } from './route.ts';
import { hintAfterNoun, matchAfterNoun, matchAnywhere, type Matched } from './match.ts';
import { getRoute, indexRoutes } from './route-index.ts';
import { splitWords } from '../ask/words.ts';
import type { Parts } from '../parts/parts.ts';

/** Every route of the bot, found by what was typed or by the id of what was pressed. */
export interface RouteTable {
  readonly byId: ReadonlyMap<string, Route>;
  readonly byService: ReadonlyMap<Service, Route>;
  /** The command `/instances …`, its noun without slash and prefix. Throws a Refusal where that is unknown. */
  matchCommand(noun: string, text: string): Matched;
  /** A mention: `restart web-1`, or `instances restart web-1`. What is no command goes to a route of its own. Throws a Refusal. */
  matchMention(text: string): Matched;
  /** The same, where only a command will do. Throws a Refusal. */
  matchLine(text: string): Matched;
  /** The noun under which a route stands; undefined for a route that there is none of. Its id says nothing of that. */
  nounOf(routeId: string): string | undefined;
  /** Which verb of the noun of `routeId` an unknown word may mean, or which verbs there are. */
  verbHint(routeId: string, word: string): Phrase;
}

/** Builds the table. Throws where two routes claim one word or one id, or serve the same. */
export function createRouteTable(features: readonly Feature[]): RouteTable {
  const index = indexRoutes(features);
  for (const feature of features) getRoute(index, feature.default);
  const nounOf = (routeId: string): string | undefined => nounIn(features, routeId);
  const strictly = (text: string, noun: string | undefined): Matched => {
    if (noun === undefined) return matchText(text, (words) => matchAnywhere(index, words));
    const known = index.byNoun.get(noun);
    if (!known) throw new Refusal('unknown-command', say`I don't know the command /${noun}.`);
    return matchText(text, (words) => matchAfterNoun(index, known, words));
  };
  const sentences = new Map(
    [undefined, ...index.byNoun.keys()].map((noun) => [
      noun,
      sentenceRoute((line) => strictly(line, noun), noun),
    ]),
  );
  const match = (text: string, noun?: string): Matched => {
    try {
      return strictly(text, noun);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'unknown-word') throw error;
      const sentence = sentences.get(noun);
      if (!sentence) throw error;
      return { route: sentence, words: [], line: text };
    }
  };
  return {
    byId: new Map([...index.byId, ...[...sentences.values()].map((one) => [one.id, one] as const)]),
    byService: index.byService,
    matchCommand: (noun, text) => match(text, noun),
    matchMention: (text) => match(text),
    matchLine: (text) => strictly(text, undefined),
    nounOf,
    verbHint: (routeId, word) => {
      const noun = index.byNoun.get(nounOf(routeId) ?? '');
      return noun ? hintAfterNoun(index, noun, word.toLowerCase(), []) : say``;
    },
  };
}

/** The noun of the feature that has a route; undefined where none has it. Pure. */
export function nounIn(features: readonly Feature[], routeId: string): string | undefined {
  return features.find(({ routes }) => routes.some(({ id }) => id === routeId))?.noun;
}

/**
 * What a line leads to whose words are no command after `noun`, or without one: its refusal, unless it is a sentence.
 * `match`: throws that refusal.
 */
function sentenceRoute(match: (line: string) => Matched, noun: string | undefined): Route {
  return {
    id: noun === undefined ? 'sentence' : `sentence.${noun}`,
    verb: 'say',
    permission: undefined,
    writes: false,
    summary: 'what is said in no command',
    handle: async ({ line = '' }) => {
      throw new Error(`this is a command: ${match(line).route.id}`);
    },
  };
}

/** Splits a text into words and matches them. Throws a Refusal where it is unclear what the words are. */
function matchText(text: string, match: (words: readonly string[]) => Matched): Matched {
  const { words, letters, doubt } = splitWords(text);
  if (doubt === 'too long')
    throw new Refusal(
      'too-long',
      say`That's too long for me to read, so nothing was done: ${plain(words.join(' '), 80)}`,
    );
  const matched = { ...match(words), line: text };
  if (doubt === 'unmatched quote' && isWrite(matched.route, matched.words)) {
    throw new Refusal(
      'unmatched-quote',
      say`There is an unclosed quotation mark in ${words.join(' ')}, so nothing was done.`,
    );
  }
  const rest = letters.slice(letters.length - matched.words.length);
  // What is asked of help is no longer what was typed.
  const isRest = words
    .slice(words.length - matched.words.length)
    .every((one, at) => one === matched.words[at]);
  const isCleaned = isRest && rest.some((one, at) => one !== matched.words[at]);
  return isCleaned ? { ...matched, letters: rest } : matched;
}

/** The bot as what knows all that can be asked for has it. */
export interface Routed extends Parts {
  readonly routes: RouteTable;
}
