import { inWords, mendOptions, REASON, withAfter } from '../ask/mend-words.ts';
import { parseArgs } from 'node:util';
import { isFilter } from '../instances/filter.ts';
import { Refusal } from '../refusal.ts';
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
  const names = Object.keys(own);
  const takesValue = new Set(['because', 'override', ...names].map((name) => `--${name}`));
  // `-name:web-*` is a filter; with its dash it would be read as an option.
  const isNegated = (word: string, index: number): boolean =>
    word.startsWith('-') && isFilter(word) && !takesValue.has(words[index - 1] ?? '');
  // Nor is "-1h" an option, where a time stands.
  const asTime = (word: string, index: number): string =>
    takesEnd && /^-+\d/.test(word) && END_WORDS.includes(words[index - 1]?.toLowerCase() ?? '')
      ? word.replace(/^-+/, '\u2212')
      : word;
  try {
    const { values, positionals } = parseArgs({
      args: words.map(asTime).filter((word, index) => !isNegated(word, index)),
      allowPositionals: true,
      options: {
        ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
        because: { type: 'string' },
        override: { type: 'string' },
        'dry-run': { type: 'boolean' },
      },
    });
    const { 'dry-run': dryRun } = values;
    const because = reasonOf(values.because);
    const override = reasonOf(values.override);
    const given = names.flatMap((name) => {
      const value: unknown = Reflect.get(values, name);
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const endAt = takesEnd ? endIn(positionals) : positionals.length;
    return {
      names: [...positionals.slice(0, endAt), ...words.filter(isNegated)],
      ...(endAt < positionals.length ? { end: positionals.slice(endAt) } : {}),
      dryRun: dryRun === true,
      because,
      override,
      options: Object.fromEntries(given),
    };
  } catch {
    const bare = words.findLast(
      (word, index) => takesValue.has(word) && (words[index + 1]?.startsWith('--') ?? true),
    );
    if (bare !== undefined) throw noValue(bare, own[bare.slice('--'.length)]);
    const shown = [...names.map((name) => `--${name} ${own[name] ?? ''}`), '--because "why"'].join(', ');
    throw new Refusal(
      'bad-option',
      say`I can't read the options of that, so nothing was done. They are ${shown} and --dry-run, as in ${example} --because "new config".`,
      mendOptions(['because', 'override', 'dry-run', ...names]),
    );
  }
}

/** Where the words begin that say until when; behind all of them where none do. A word alone may be a name. */
function endIn(words: readonly string[]): number {
  const at = words.findLastIndex((word) => END_WORDS.includes(word.toLowerCase()));
  return at < 0 || words.length === 1 ? words.length : at;
}

/** Asks for what is missing after an option: one of the verb's own, with an example of its value, or a reason. */
function noValue(option: string, example: string | undefined): Refusal {
  return new Refusal(
    'bad-option',
    say`What follows ${option}? Nothing was done.`,
    withAfter(option, example === undefined ? REASON : inWords('Value', example)),
  );
}

/** A reason as it is kept; undefined for none. */
function reasonOf(typed: unknown): string | undefined {
  return typeof typed === 'string' && typed.trim() !== '' ? typed.slice(0, MAX_REASON_LENGTH) : undefined;
}
