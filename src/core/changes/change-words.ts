import { inWords, REASON } from '../ask/mend-words.ts';
import { type Option, readOptions } from '../ask/options.ts';
import { isFilter } from '../instances/filter.ts';
import { END_WORDS } from '../sentences/end.ts';
import { say } from '../../platform/slack/phrase.ts';

/** What the words after a changing verb come to. */
export interface ChangeWords {
  /** The words that are no options. */
  readonly names: readonly string[];
  readonly because?: string;
  /** Why an admin goes on in spite of a freeze. */
  readonly override?: string;
  readonly dryRun: boolean;
  /** Until when, as it was typed last: "for 4h"; of a verb that takes such words. */
  readonly end?: readonly string[];
  /** The verb's own options that were given, by name. */
  readonly options: Readonly<Record<string, string>>;
}

/** Room for all that an agent may give as a reason, with the agent's name in front: by the whole of it is found what a press has begun. */
const MAX_REASON_LENGTH = 360;

/**
 * Names and options. `example`: shown where they can't be read; `own`: the verb's own options, each with an example of
 * its value; `takesEnd`: whether the last words may say until when. Throws a Refusal for an option that is neither.
 */
export function parseChangeWords(
  words: readonly string[],
  example: string,
  own: Readonly<Record<string, string>> = {},
  takesEnd = false,
): ChangeWords {
  const reason: Option = { offers: [REASON] };
  const options: Readonly<Record<string, Option>> = {
    ...Object.fromEntries(
      Object.entries(own).map(([name, value]) => [name, { offers: [inWords('Value', value)] }]),
    ),
    because: reason,
    override: reason,
    'dry-run': 'flag',
  };
  // `-name:web-*` is a filter; with its dash it would be read as an option.
  const isNegated = (word: string, index: number): boolean => {
    const before = words[index - 1]?.replace(/^--/, '') ?? '';
    const isValue = words[index - 1] !== before && typeof options[before] === 'object';
    return word.startsWith('-') && isFilter(word) && !isValue;
  };
  // Nor is "-1h" an option, where a time stands.
  const asTime = (word: string, index: number): string =>
    takesEnd && /^-+\d/.test(word) && END_WORDS.includes(words[index - 1]?.toLowerCase() ?? '')
      ? word.replace(/^-+/, '\u2212')
      : word;
  const shown = Object.entries(own).map(([name, value]) => `--${name} ${value}`);
  const { texts, flags, rest } = readOptions(
    words.map(asTime).filter((word, index) => !isNegated(word, index)),
    options,
    say`${[...shown, '--because "why"'].join(', ')} and --dry-run, as in ${example} --because "new config". Nothing was done`,
  );
  const endAt = takesEnd ? endIn(rest) : rest.length;
  return {
    names: [...rest.slice(0, endAt), ...words.filter(isNegated)],
    ...(endAt < rest.length ? { end: rest.slice(endAt) } : {}),
    dryRun: flags.has('dry-run'),
    because: reasonOf(texts.get('because')),
    override: reasonOf(texts.get('override')),
    options: Object.fromEntries([...texts].filter(([name]) => Object.hasOwn(own, name))),
  };
}

/** Where the words begin that say until when; behind all of them where none do. A word alone may be a name. */
function endIn(words: readonly string[]): number {
  const at = words.findLastIndex((word) => END_WORDS.includes(word.toLowerCase()));
  return at < 0 || words.length === 1 ? words.length : at;
}

/** A reason as it is kept; undefined for none. */
function reasonOf(typed: string | undefined): string | undefined {
  return typed !== undefined && typed.trim() !== '' ? typed.slice(0, MAX_REASON_LENGTH) : undefined;
}
