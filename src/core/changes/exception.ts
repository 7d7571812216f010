import type { Changing } from './changing.ts';
import { BUTTON_TOKENS } from '../offers/offers.ts';
import { buttonTokenToRepeat } from '../lookup/resolve.ts';
import { type Freeze, freezesOf, stillFrozen } from '../policy/freeze.ts';
import type { AccessRule } from '../policy/decide.ts';
import { anyway, Frozen } from '../policy/no-access.ts';
import { Refusal } from '../refusal.ts';
import { oneOf } from '../ask/mend-words.ts';
import type { Ask } from '../ask/ask.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { isDirect } from '../../platform/slack/ids.ts';
import type { Button } from '../../platform/slack/message.ts';
import { plain, say, toPlainText } from '../../platform/slack/phrase.ts';
import { mayChange, whatOf } from './begin-change.ts';
import type { Args, Declared } from './declaration.ts';
import type { Parts } from '../parts/parts.ts';

/** What somebody wanted to change, and why. */
interface ChangeExcepted<A extends Args> {
  readonly instance: Instance;
  readonly args: A;
  readonly because?: string;
}

const MAX_LABEL = 70;

/**
 * The rule that allows what somebody wants. `asksExceptFrom`: ids of freezes from which they ask for an exception. Throws a Refusal,
 * and where a freeze alone is in the way, one with a button that asks for an exception.
 */
export async function mayOrExcept<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
  wanted: ChangeExcepted<A>,
  {
    override,
    asksExceptFrom,
    dryRun = false,
  }: {
    readonly override?: string;
    readonly asksExceptFrom: readonly string[] | undefined;
    readonly dryRun?: boolean;
  },
): Promise<AccessRule> {
  try {
    return await mayChange(declared, deps, ask, wanted.instance, override, asksExceptFrom);
  } catch (error) {
    // On a dry run, a press would be the real thing.
    if (dryRun) throw error;
    return refuseOrExcept(declared, deps, ask, wanted, error);
  }
}

/**
 * Throws `error`; where that is a freeze's no, with a button that asks an admin for an exception, for this one change. Nobody else
 * reads a direct message, so that there none can be asked for.
 */
async function refuseOrExcept<A extends Args>(
  declared: Declared<A>,
  deps: Pick<Parts, 'clock' | 'offers' | 'access'>,
  ask: Ask,
  wanted: ChangeExcepted<A>,
  error: unknown,
): Promise<never> {
  if (!(error instanceof Frozen)) throw error;
  const { answer } = error;
  // What was pressed is asked again in words, since a field completes words.
  const typed = ask.words.length > 0 ? ask.words : typedAs(declared, wanted);
  const instead = error.mayOverride ? oneOf(...anyway(typed)) : undefined;
  if (isDirect(ask.place.channelId))
    throw new Frozen({ ...answer, note: say`In a channel, you can ask for an exception.` }, error, instead);
  const button = await exceptionButton(declared, deps, ask, wanted, 'Ask for an exception');
  throw new Frozen(button ? { ...answer, buttons: [button] } : answer, error, instead);
}

/** The words after the verb that ask for the same. */
function typedAs<A extends Args>(
  { typed }: Declared<A>,
  { instance, args, because }: ChangeExcepted<A>,
): readonly string[] {
  const words = typed?.(instance, args) ?? [instance.id];
  return because === undefined ? words : [...words, '--because', because];
}

/** What asks for an exception from all freezes that an instance stands under now; undefined where there are none. */
async function exceptionButton<A extends Args>(
  { id }: Declared<A>,
  { access, offers, clock }: Pick<Parts, 'clock' | 'offers' | 'access'>,
  { place }: Pick<Ask, 'place'>,
  { instance, args, because }: ChangeExcepted<A>,
  label: string,
): Promise<Button | undefined> {
  const { freezes } = await access.policy();
  if (freezes === 'unreadable') return undefined;
  const exceptFrom = freezesOf(freezes, instance, clock.now()).map((freeze) => freeze.id);
  if (exceptFrom.length === 0) return undefined;
  const token = buttonTokenToRepeat(instance, { args, because, place, exceptFrom });
  return { label, routeId: id, value: await offers.make(BUTTON_TOKENS, token) };
}

/** So many of several can be asked for, each for itself. */
const MAX_EACH = 4;

/** The same for each of a few; none where they are many, or where nobody else would read it. */
export async function exceptionButtons<A extends Args>(
  declared: Declared<A>,
  deps: Pick<Parts, 'clock' | 'offers' | 'access'>,
  ask: Pick<Ask, 'place'>,
  instances: readonly Instance[],
  because: string | undefined,
): Promise<readonly Button[]> {
  if (instances.length > MAX_EACH || isDirect(ask.place.channelId)) return [];
  const args = declared.args.parse({});
  const buttons = await Promise.all(
    instances.map((instance) =>
      exceptionButton(
        declared,
        deps,
        ask,
        { instance, args, because },
        `Ask for an exception for ${plain(instance.name, 40)}`,
      ),
    ),
  );
  return buttons.filter((button) => button !== undefined);
}

/**
 * Those of the freezes, by their ids, that count still, for who asks for an exception from them. Throws a Refusal with a button
 * that begins it without one, where none does.
 */
export async function requireFrozen<A extends Args>(
  declared: Declared<A>,
  { access, offers, clock }: Pick<Parts, 'clock' | 'offers' | 'access'>,
  { place }: Pick<Ask, 'place'>,
  { instance, args, because }: ChangeExcepted<A>,
  ids: readonly string[],
): Promise<Freeze[]> {
  const { freezes } = await access.policy();
  if (freezes === 'unreadable')
    throw new Refusal(
      'not-checked',
      say`I can't reach my database right now, so I couldn't read what is frozen, and nothing was done. Try again in a minute.`,
    );
  const still = stillFrozen(
    ids.map((id) => ({ id })),
    freezes,
    clock.now(),
  );
  if (still.length > 0) return [...still];
  const value = await offers.make(BUTTON_TOKENS, buttonTokenToRepeat(instance, { args, because, place }));
  const what = plain(toPlainText(whatOf(declared, instance, args)), MAX_LABEL);
  throw new Refusal('not-frozen', {
    lines: [say`The freeze is over, so you don't need an exception. Nothing has been done yet.`],
    buttons: [{ label: `${what.charAt(0).toUpperCase()}${what.slice(1)}`, routeId: declared.id, value }],
  });
}
