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
import { type ChangeWords, parseChangeWords } from './change-words.ts';
import type { Args, Declared, Given, ChangeRequest } from './declaration.ts';
import { z } from 'zod';
import { followedBy, inWords } from '../ask/mend-words.ts';

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
