import { asTyped, unmangle } from '../ask/words.ts';
import type { Ask } from '../ask/ask.ts';
import type { Route } from './route.ts';
import { bulletsOf, type Message } from '../../platform/slack/message.ts';
import { withMentions } from '../../platform/slack/message-text.ts';
import { type Phrase, plain, say, toPlainText } from '../../platform/slack/phrase.ts';
import { isMentionInEnd } from '../sentences/no-end.ts';
import { IN_TURN, inWords, withoutInTurn } from './sentence-messages.ts';
import type { Named, Subject } from './subject.ts';

/** What an ask is about, in words: "Restart web-1". */
export interface About {
  readonly words: Phrase;
  /** What a text must hold to say by itself what it is about. */
  readonly names: readonly string[];
}

const MAX_TYPED = 100;

/** What is looked up to say what an ask is about; `named`: which instances its words name by their ids. */
interface FindAbout {
  readonly subject: (value: string) => Promise<Subject | undefined>;
  readonly named: (words: readonly string[]) => Promise<readonly Named[]>;
}

/**
 * What `ask` is about, by the verb and the noun of its route and by what was typed, with the names of what it names by ids, or by the
 * instance behind what was pressed, as far as `find` knows them. A line that is no command is what it is about itself.
 */
export async function aboutOf(
  ask: Pick<Ask, 'words' | 'value' | 'picked' | 'line'>,
  route: Pick<Route, 'verb' | 'usage' | 'namesPeople' | 'namesChannels' | 'namesInstances'>,
  noun: string | undefined,
  find: FindAbout,
): Promise<About> {
  const verb = capitalized(route.verb.replaceAll('-', ' '));
  if (ask.picked !== undefined) return { words: say`${verb} ${ask.picked}`, names: [ask.picked] };
  const words = withoutReason(ask.words);
  if (words.length > 0) {
    const known = route.namesInstances ? await find.named(words) : [];
    return {
      words: say`${verb} ${typedWords(route, words, known)}`,
      names: words
        .filter((word, index) => isName(word, words[index - 1]))
        .map((word) => known.find(({ id }) => id === word)?.name ?? word),
    };
  }
  const subject = ask.value === undefined ? undefined : await find.subject(ask.value);
  if (subject) return { words: say`${verb} ${subject.words}`, names: subject.names };
  // What is no command has no verb that anybody typed.
  if (route.usage === undefined && ask.line !== undefined)
    return { words: say`"${plain(unmangle(ask.line), MAX_TYPED)}"`, names: [] };
  if (route.usage === undefined || noun === undefined) return { words: say`${verb}`, names: [] };
  return { words: say`${capitalized(noun)} ${route.verb}`, names: [] };
}

/**
 * A message that says what it is about: with `about` in front, unless its words hold that already. `isGeneral`: it could
 * be said of anything, so that it needs that even where nothing was named.
 */
export function saying(about: About, message: Message, isGeneral: boolean): Message {
  const [first = [], ...lines] = message.lines;
  const text = [...message.lines, ...bulletsOf(message)].map(toPlainText).join('\n').toLowerCase();
  const isSaid =
    about.names.length > 0
      ? about.names.every((name) => text.includes(plain(name).toLowerCase()))
      : !isGeneral;
  return isSaid ? message : { ...message, lines: [say`${about.words}: ${first}`, ...lines] };
}

/** What was typed, with its quotation marks; people are mentioned where the words name them. */
function typedWords(
  { namesPeople, namesChannels }: Pick<Route, 'namesPeople' | 'namesChannels'>,
  typed: readonly string[],
  known: readonly Named[],
): Phrase {
  const text = plain(asKnown(typed, known), MAX_TYPED);
  return namesPeople || namesChannels ? withMentions(text) : say`${text}`;
}

/** Words with the instances among them by their names, and in words what is done one at a time. */
function asKnown(typed: readonly string[], known: readonly Named[]): string {
  const inTurn = withoutInTurn(typed);
  const words = inTurn ?? typed;
  const namedAt = (word: string | undefined, at: number): Named | undefined =>
    word !== undefined && isName(word, words[at - 1]) ? known.find(({ id }) => id === word) : undefined;
  const shown = (word: string, at: number): string => {
    const one = namedAt(word, at);
    if (one) return `${one.name} (${one.id})`;
    return isMentionInEnd(words, at) ? '@…' : asTyped([word]);
  };
  const all = inWords('', words, shown, (word, at) => namedAt(word, at) !== undefined).trimStart();
  return `${all}${inTurn ? IN_TURN : ''}`;
}

/** Why it was asked says nothing of what is asked, and may be long. */
function withoutReason(words: readonly string[]): readonly string[] {
  return words.filter(
    (word, index) =>
      word !== '--because' && words[index - 1] !== '--because' && !word.startsWith('--because='),
  );
}

/** Options after which an instance may stand: those without a value, and the one that takes its name. */
const BEFORE_A_NAME = ['--dry-run', '--csv', '--instance'];

/** Whether a word may name an instance, by the word before it: it is neither an option nor the value of one. Pure. */
export function isName(word: string, before: string | undefined): boolean {
  if (word.startsWith('-')) return false;
  return before === undefined || !before.startsWith('--') || BEFORE_A_NAME.includes(before);
}

/** A word with a capital letter at its beginning. */
export function capitalized(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}
