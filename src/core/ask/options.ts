import { parseArgs } from 'node:util';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { type Gap, type Instead, Refusal } from '../refusal.ts';
import { mendOptions, withAfter } from './mend-words.ts';

/**
 * What follows `--` and a name: nothing, or a value. Where that is missing it is asked for, and `offers` may stand there; none
 * where a button alone says it.
 */
export type Option = 'flag' | { readonly asks?: Phrase; readonly offers: readonly (string | Gap)[] };

/** The options among words, and the other words. */
export interface OptionWords {
  readonly texts: ReadonlyMap<string, string>;
  readonly flags: ReadonlySet<string>;
  readonly rest: readonly string[];
  /** One that was given more than once: the last one counts. */
  readonly twice: string | undefined;
}

/**
 * `web-1 --last 7d --csv`, in any order. `known`: the options by their names; `example`: of all, as the end of a sentence. Throws a
 * Refusal that names the first option which can't be read.
 */
export function readOptions(
  words: readonly string[],
  known: Readonly<Record<string, Option>>,
  example: Phrase | string,
): OptionWords {
  const names = Object.keys(known);
  const no = (why: Phrase, instead: Instead): Refusal => new Refusal('bad-option', why, instead);
  const typed = names.filter((name) => known[name] === 'flag' || known[name]?.offers.length !== 0);
  const unread = (why: Phrase): Refusal => no(say`${why} The options are ${example}.`, mendOptions(typed));
  const texts = new Map<string, string>();
  const flags = new Set<string>();
  const rest: string[] = [];
  let twice: string | undefined;
  const types = names.map((name) => [name, { type: known[name] === 'flag' ? 'boolean' : 'string' }] as const);
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(types),
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === 'positional') rest.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue, index } = token;
    const option = Object.hasOwn(known, name) && rawName === `--${name}` ? known[name] : undefined;
    if (option === undefined) throw unread(say`I don't know ${words[index]?.split('=')[0] ?? rawName} here.`);
    if (texts.has(name)) twice = name;
    if (option !== 'flag' && (value === undefined || (!inlineValue && /^-./.test(value))))
      throw no(
        option.asks ?? say`${rawName} needs a value. Nothing was done.`,
        withAfter(rawName, ...option.offers),
      );
    if (option === 'flag' && value !== undefined) throw unread(say`${rawName} takes no value.`);
    if (value === undefined) flags.add(name);
    else texts.set(name, value);
  }
  return { texts, flags, rest, twice };
}
