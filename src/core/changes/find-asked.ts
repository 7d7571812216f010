import type { Changing } from './changing.ts';
import { findConfirmation } from '../offers/confirmation.ts';
import { isFilter } from '../instances/filter.ts';
import { resolveAsk, resolveShown } from '../lookup/resolve.ts';
import { amongTheirs, asSeen, type Instances, sightOf } from '../lookup/sight.ts';
import { findButtonToken } from '../operations/find-button-token.ts';
import type { ButtonToken } from '../offers/offers.ts';
import { Refusal } from '../refusal.ts';
import type { Ask } from '../ask/ask.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { whatOf } from './begin-change.ts';
import type { Args, Declared, Given, ChangeRequest } from './declaration.ts';
import { z } from 'zod';
import { followedBy, inWords, REASON } from '../ask/mend-words.ts';
import { type Option, readOptions } from '../ask/words.ts';
import { END_WORDS } from '../sentences/end.ts';

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

/** What a request was found to be about. */
export interface FoundChange<A extends Args> {
  readonly instance: Instance;
  readonly args: A;
  readonly words: ChangeWords;
  readonly buttonToken: ButtonToken | undefined;
}

/** What somebody asked for, and why, whether they may or not. */
export interface LookedUp {
  readonly instance: Instance;
  readonly args: Args;
  /** "restart web-1 (101)". */
  readonly what: Phrase;
  readonly because: string | undefined;
  /** It is turned around later, by the same person's right. */
  readonly turnsBack: boolean;
}

/**
 * What somebody asked for, as far as it is about one exact instance, whether they may or not. Throws a Refusal where it
 * isn't.
 */
export async function lookUp<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
): Promise<LookedUp> {
  const lookedUp = (instance: Instance, args: A, because: string | undefined): LookedUp => ({
    instance,
    args,
    what: whatOf(declared, instance, args),
    because,
    turnsBack: declared.turnsBack?.(args) !== undefined,
  });
  const confirmation = await findConfirmation(deps, ask);
  if (!confirmation) {
    const { instance, args, words, buttonToken } = await find(declared, deps, ask);
    return lookedUp(instance, args, words.because ?? buttonToken?.repeats?.because);
  }
  const args = declared.args.parse(confirmation.args ?? {});
  return lookedUp(await resolveShown(deps.hosting, confirmation.instance), args, confirmation.because);
}

/** Whether words, a pick or a button name an instance, which may not exist. */
export async function namesInstance<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
): Promise<boolean> {
  try {
    if (await findConfirmation(deps, ask)) return true;
    const { names, buttonToken } = await read(declared, deps, ask);
    if (ask.picked !== undefined || buttonToken !== undefined) return true;
    if (names.length === 0 || names.some(isFilter)) return false;
    return (await deps.favorites.find(names.join(' '))) === undefined;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** The instance and the arguments among those that are the asker's to see, or to change. */
export async function findTheirs<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
  instances: Instances = deps.hosting,
): Promise<FoundChange<A>> {
  // A button stands for one that was shown, and may be for another place: whether they may is asked of that.
  if (ask.value !== undefined) return find(declared, deps, ask);
  const { access } = deps;
  const { permission } = declared;
  const sight = await sightOf(access, ask.actor, ask.place.channelId, {
    permission,
    route: ask.route,
    operationId: ask.id,
  });
  const { names } = await read(declared, deps, ask);
  const finding = find(declared, deps, ask, asSeen(instances, sight));
  return amongTheirs(access, sight, permission, names.join(' '), finding);
}

/** The instance and the arguments that words, a pick or a button mean. */
async function find<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
  hosting: Instances = deps.hosting,
): Promise<FoundChange<A>> {
  const { id, verb } = declared;
  const {
    names,
    args,
    asking = declared.words.verb ?? verb,
    words,
    buttonToken,
  } = await read(declared, deps, ask);
  const instance = await resolveAsk({ hosting }, { verb: asking, routeId: id }, ask, {
    names,
    dryRun: words.dryRun,
    buttonToken,
  });
  return { instance, args: typeof args === 'function' ? await args(instance) : args, words, buttonToken };
}

/** What words or a button say, before anything is looked up. Throws a Refusal. */
async function read<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
): Promise<ChangeRequest<A> & Pick<FoundChange<A>, 'words' | 'buttonToken'>> {
  const { example, options = {}, takesEnd } = declared;
  const words = parseChangeWords(ask.words, example, options, takesEnd);
  const buttonToken = await findButtonToken(deps, ask);
  const given = { ask, words: words.names, options: words.options, end: words.end, buttonToken };
  const wanted = declared.read ? await declared.read(given) : readArgs(declared, given);
  return { ...wanted, words, buttonToken };
}

/**
 * Reads the arguments of a verb that does not read them itself: those of the pressed button, or the last words in the
 * order of the schema's keys. Throws a Refusal with what the schema says, and an example.
 */
function readArgs<A extends Args>(
  { args: schema, example }: Pick<Declared<A>, 'args' | 'example'>,
  { words, buttonToken }: Pick<Given, 'words' | 'buttonToken'>,
): ChangeRequest<A> {
  const keys = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const first = words.length - keys.length;
  const isTooFew = keys.length > 0 && buttonToken?.args === undefined && first < 1;
  if (isTooFew) {
    throw new Refusal(
      'missing-argument',
      say`I need an instance and ${keys.join(', ')}, so nothing was done. Example: ${example}.`,
      words.length === 0
        ? followedBy(inWords(`Instance and ${keys.join(', ')}`, example.split(' ').slice(1).join(' ')))
        : followedBy({ asks: 'words', label: keys.join(', ') }),
    );
  }
  const typed = Object.fromEntries(keys.map((key, index) => [key, words[first + index]]));
  const parsed = schema.safeParse(buttonToken?.args ?? typed);
  if (parsed.success) return { names: buttonToken?.args ? [] : words.slice(0, first), args: parsed.data };
  const [issue] = parsed.error.issues;
  throw new Refusal(
    'bad-argument',
    say`I can't take that ${String(issue?.path[0] ?? 'word')}: ${issue?.message ?? 'it is not valid'}. Nothing was done. Example: ${example}.`,
  );
}
