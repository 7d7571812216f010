import { isDeepStrictEqual } from 'node:util';
import type { Ask, Reply } from '../ask/ask.ts';
import { entryOf } from '../audit/entry-of.ts';
import type { Offers } from '../offers/offers.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { factId, saidHere } from '../outbox/said-here.ts';
import type { Rule } from '../policy/decide.ts';
import { type Commit, together } from '../records/commit.ts';
import type { OneRecord } from '../records/one-record.ts';
import type { Instead } from '../refusal.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Phrase } from '../../platform/slack/phrase.ts';
import type { AuditAttempt, Route } from './route.ts';
import { withInstead } from './with-instead.ts';

export interface SettingDeps {
  readonly offers: Offers;
  readonly outbox: Pick<Outbox, 'saying' | 'find'>;
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
  /** What its channel reads of it; undefined for nothing. Pure. */
  fact(after: Kept, before: Kept): Phrase | undefined;
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
  readonly route: Omit<Route, 'writes' | 'handle'>;
  readonly store: Pick<OneRecord<Kept>, 'get' | 'change'>;
  /**
   * What words ask for; undefined where they only ask how it stands. Throws a Refusal for what can't be read, or isn't to be set
   * here. `by`: what allows it.
   */
  read(ask: Ask, by?: Rule): Promise<SettingChange<Kept> | undefined>;
  shown(record: Kept, ask: Ask): SettingShown | Promise<SettingShown>;
}

/** The route of a setting. */
export function setting<Kept extends object>(deps: SettingDeps, declared: Setting<Kept>): Route {
  const { route, read, shown } = declared;
  const show = async (record: Kept, ask: Ask): Promise<Message> => {
    const { presses = [], ...said } = await shown(record, ask);
    return withInstead(deps.offers, route, said, presses, [], ask);
  };
  return {
    came: async (ask) => ((await isSetBy(deps, ask)) ? show(await declared.store.get(), ask) : undefined),
    ...route,
    writes: (words) => words.length > 0,
    handle: async (ask, audit, by) => {
      const change = await read(ask, by);
      if (!change) return show(await declared.store.get(), ask);
      const set = await changeSetting(deps, declared.store, change, ask, audit);
      return (await change.answer?.(set)) ?? show(set.after, ask);
    },
  };
}

/**
 * Writes a change, its entry of the audit and what a channel reads of it at once; nothing where it is so already. Throws a Refusal
 * that its step throws.
 */
export async function changeSetting<Kept extends object>(
  { outbox, clock }: Omit<SettingDeps, 'offers'>,
  store: Pick<OneRecord<Kept>, 'get' | 'change'>,
  { step, fact, where, beside, using, wake }: SettingChange<Kept>,
  ask: Ask,
  audit: AuditAttempt,
): Promise<SettingSet<Kept>> {
  // A run that was cut off after its commit has written all of it: others may have set it otherwise since.
  let isPosted = await isSetBy({ outbox }, ask);
  const after = isPosted
    ? await store.get()
    : await store.change(
        (record) => {
          const next = step(record);
          return next && !beside && isDeepStrictEqual(next, record) ? undefined : next;
        },
        async (next, before) => {
          const line = fact(next, before);
          const channelId = where ? where(next, before) : ask.place.channelId;
          const isTold = line !== undefined && channelId !== undefined;
          const posts = isTold ? saidHere({ id: ask.id, place: { channelId } }, { lines: [line] }) : [];
          isPosted = posts.length > 0;
          return together<'moved'>(
            { audit: entryOf(ask, 'set', clock.now(), { result: 'done' }) },
            await outbox.saying(posts, 'moved'),
            (await beside?.()) ?? {},
            (await using?.()) ?? {},
          );
        },
      );
  await wake?.().catch(() => undefined);
  // What changes nothing has the entry that every attempt has.
  if (after) audit('recorded');
  return { after: after ?? (await store.get()), isChanged: after !== undefined, isPosted };
}

/** Whether a channel reads already what a request has set. */
async function isSetBy({ outbox }: Pick<SettingDeps, 'outbox'>, ask: Pick<Ask, 'id'>): Promise<boolean> {
  return (await outbox.find(factId(ask))) !== undefined;
}
