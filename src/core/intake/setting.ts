import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Ask, Reply } from '../ask/ask.ts';
import { oneOf } from '../ask/mend-words.ts';
import { entryOf } from '../audit/entry.ts';
import { type OfferKind, offerKey, type Offers, usingUp } from '../offers/offers.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { saidHere } from '../outbox/post.ts';
import type { AccessRule } from '../policy/decide.ts';
import { type Commit, together } from '../records/commit.ts';
import type { OneRecord } from '../records/one-record.ts';
import { Unmet } from '../records/records.ts';
import { type Instead, Refusal } from '../refusal.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { Message } from '../../platform/slack/message.ts';
import { person, type Phrase, say } from '../../platform/slack/phrase.ts';
import type { AuditAttempt, Route } from './route.ts';
import { withInstead } from './typed-button.ts';

export interface SettingDeps {
  readonly offers: Offers;
  readonly outbox: Pick<Outbox, 'saying'>;
  readonly clock: Pick<RedisClock, 'now'>;
}

/** What came of a change. */
interface SettingSet<Kept> {
  readonly after: Kept;
  /** It wasn't so before. */
  readonly isChanged: boolean;
  /** A channel reads it. */
  readonly isPosted: boolean;
}

/** A change of a setting, as words ask for it. */
export interface SettingChange<Kept> {
  /** The record with it; the same, or undefined, where it is so already. Pure. */
  step(record: Kept): Kept | undefined;
  /** What its channel reads of it; undefined, or without this, nothing. Pure. */
  fact?(after: Kept, before: Kept): Phrase | undefined;
  /** Which channel reads it, undefined for none; without this the one in which it is asked. Pure. */
  where?(after: Kept, before: Kept): string | undefined;
  /** What is committed with it, be the record the same as before or not: the choice of a channel. */
  readonly beside?: (() => Promise<Commit<'moved'>>) | undefined;
  /** What is committed with a change alone: that what allowed it once is used up. */
  readonly using?: (() => Promise<Commit<'moved'>>) | undefined;
  /** Has what follows done at once. Where that fails, the sweep finds it. */
  wake?(): Promise<unknown>;
  /** The answer; undefined for how the setting stands. Throws a Refusal where what was to be ended wasn't there. */
  answer?(set: SettingSet<Kept>): Reply | Promise<Reply>;
}

/** How a setting stands. `presses`: words that a press asks next. */
export type SettingShown = Message & { readonly presses?: ReturnType<Instead> };

/** What people set in words, and see without any. */
interface Setting<Kept extends object> {
  /** Whether there is nothing to turn off, and that it was set already, are said of every setting alike. */
  readonly route: Omit<Route, 'writes' | 'handle' | 'idle' | 'came'>;
  readonly store: Pick<OneRecord<Kept>, 'get' | 'change'>;
  /**
   * What words ask for; undefined where they only ask how it stands. Throws a Refusal for what can't be read, or isn't to be set
   * here. `by`: what allows it.
   */
  read(ask: Ask, by?: AccessRule): Promise<SettingChange<Kept> | undefined>;
  shown(record: Kept, ask: Ask): SettingShown | Promise<SettingShown>;
  /** What the word "off" turns off behind these words, in lower case; undefined behind any that it isn't said of. Pure. */
  off?(of: readonly string[]): Off<Kept> | undefined;
}

/** What is turned off in a word. */
export interface Off<Kept> {
  /** As in "budget of the account". */
  readonly called: string;
  readonly icon: string;
  /** The record without it; undefined where it isn't set. Throws a Refusal for what can't be. Pure. */
  step(record: Kept): Kept | undefined;
  /** Which channel reads it; undefined for none. Pure. */
  where(before: Kept): string | undefined;
}

/** The route of a setting. */
export function setting<Kept extends object>(deps: SettingDeps, declared: Setting<Kept>): Route {
  const { read, shown } = declared;
  const offIn = (words: readonly string[]): Off<Kept> | undefined => {
    const [word, ...of] = words.map((one) => one.toLowerCase()).toReversed();
    return word === 'off' ? declared.off?.(of.toReversed()) : undefined;
  };
  const route = {
    ...declared.route,
    label: (...[words, named]: Parameters<NonNullable<Route['label']>>) => {
      const off = offIn(words);
      return off ? `Turn off the ${off.called}` : declared.route.label?.(words, named);
    },
    idle: async ({ words }: Pick<Ask, 'words'>) => {
      const off = offIn(words);
      return off && !off.step(await declared.store.get()) ? notSet(off) : undefined;
    },
  };
  const show = async (record: Kept, ask: Ask): Promise<Message> => {
    const { presses = [], ...said } = await shown(record, ask);
    return withInstead(deps.offers, route, said, presses, [], ask);
  };
  return {
    came: async (ask) => ((await setBy(deps, ask)) ? show(await declared.store.get(), ask) : undefined),
    ...route,
    writes: (words) => words.length > 0,
    handle: async (ask, audit, by) => {
      const off = offIn(ask.words);
      const change = await (off ? turnOff(off, ask) : read(ask, by)).catch(async (no: unknown) => {
        // What an earlier run of it has set may be why.
        if (!(await setBy(deps, ask))) throw no;
        audit('recorded');
        return undefined;
      });
      if (!change) return show(await declared.store.get(), ask);
      const set = await changeSetting(deps, declared.store, change, ask, audit);
      return (await change.answer?.(set)) ?? show(set.after, ask);
    },
  };
}

async function turnOff<Kept>(off: Off<Kept>, { actor }: Ask): Promise<SettingChange<Kept>> {
  return {
    step: off.step,
    fact: () => say`${off.icon} ${person(actor.userId)} turned the ${off.called} off.`,
    where: (_after, before) => off.where(before),
    answer: ({ isChanged }) => {
      if (!isChanged) throw new Refusal('not-set', notSet(off));
      return { lines: [say`The ${off.called} is off.`] };
    },
  };
}

function notSet({ called }: Pick<Off<never>, 'called'>): Phrase {
  return say`There is no ${called}, so there is nothing to turn off.`;
}

/** Which of these words was typed; undefined where none was. Throws a Refusal for anything else. */
export function choiceOf<Value extends string>(
  values: readonly Value[],
  { words }: Pick<Ask, 'words'>,
): Value | undefined {
  const typed = words.join(' ');
  const value = values.find((one) => one === typed.toLowerCase());
  if (value !== undefined || typed === '') return value;
  throw new Refusal(
    'bad-option',
    say`I can't read "${typed}" here. Type ${values.join(' or ')}, or nothing to see how it stands.`,
    oneOf(...values.map((one) => [one])),
  );
}

/**
 * Writes a change, its entry of the audit, what a channel reads of it and that this request has set it at once; nothing where it is so
 * already, or where an earlier run of the request has set it: others may have set it otherwise since. Throws a Refusal that its step
 * throws.
 */
export async function changeSetting<Kept extends object>(
  deps: SettingDeps,
  store: Pick<OneRecord<Kept>, 'get' | 'change'>,
  { step, fact, where, beside, using, wake }: SettingChange<Kept>,
  ask: Ask,
  audit: AuditAttempt,
): Promise<SettingSet<Kept>> {
  const set = await store
    .change(
      (record) => {
        const next = step(record);
        return next && !beside && isDeepStrictEqual(next, record) ? undefined : next;
      },
      async (next, before) => {
        const line = fact?.(next, before);
        const channelId = where ? where(next, before) : ask.place.channelId;
        const isTold = line !== undefined && channelId !== undefined;
        const posts = isTold ? saidHere({ id: ask.id, place: { channelId } }, { lines: [line] }) : [];
        return together<'moved' | 'used'>(
          usingUp([offerKey(SET_BY, ask.id)], posts.length > 0 ? POSTED : ask.id),
          { audit: entryOf(ask, 'set', deps.clock.now(), { result: 'done' }) },
          await deps.outbox.saying(posts, 'moved'),
          (await beside?.()) ?? {},
          (await using?.()) ?? {},
        );
      },
    )
    .catch((error: unknown) => {
      if (error instanceof Unmet && error.code === 'used') return undefined;
      throw error;
    });
  await wake?.().catch(() => undefined);
  const by = await setBy(deps, ask);
  // What changes nothing has the entry that every attempt has.
  if (by !== undefined) audit('recorded');
  return { after: set ?? (await store.get()), isChanged: by !== undefined, isPosted: by === POSTED };
}

/** That a request has set something, as long as it may be carried out again. */
const SET_BY: OfferKind<never> = { name: 'set', schema: z.never() };
/** What it is used by where a channel reads it; else it is the request. */
const POSTED = 'posted';

/** Undefined where a request has set nothing yet. */
async function setBy({ offers }: Pick<SettingDeps, 'offers'>, { id }: Ask): Promise<string | undefined> {
  return (await offers.find(SET_BY, id)).usedBy;
}
