import type { Button, Message } from '../../platform/slack/message.ts';
import { isName } from '../intake/about.ts';
import { splitWords } from '../ask/words.ts';
import { type Account, type Caller, isReachable } from './account.ts';
import { say } from '../../platform/slack/phrase.ts';
import { question } from '../ask/question.ts';
import { type AccessStore, defaultIn } from '../policy/access-record.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time/duration.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { key } from '../../platform/redis/key.ts';

/** Something that belongs to one account. */
export interface OfAccount {
  readonly account: Account;
}

/** The account that is meant and the text without its name; or what to say where none is. */
export type Choice<Served extends OfAccount> =
  | { readonly served: Served; readonly text: string }
  | { readonly said: Message }
  /** Any of these may be meant. */
  | { readonly among: readonly Served[] };

/** Those that a caller can reach, in the order of the configuration. Pure. */
export function reachableFor<Served extends OfAccount>(
  all: readonly Served[],
  caller: Caller,
): readonly Served[] {
  return all.filter(({ account }) => isReachable(account, caller));
}

/**
 * Which account a typed line is about: the one that it names, `own`, the channel's default, or the only one that can be reached. Never
 * guessed. `reachable`: an account that can't be reached is not known here at all. Pure.
 */
export function chooseByText<Served extends OfAccount>(
  reachable: readonly Served[],
  text: string,
  own: Served | undefined,
): Choice<Served> {
  const [only, ...others] = reachable;
  if (!only) return { said: noneHere() };
  const { names, rest } = takeNames(
    text,
    reachable.map(({ account }) => account.name),
  );
  if (names.length > 1) return { said: severalNamed(names) };
  const named = reachable.find(({ account }) => account.name === names[0]);
  const meant = named ?? own ?? (others.length === 0 ? only : undefined);
  if (!meant) return { among: reachable };
  return { served: meant, text: rest };
}

/** `acme:web-1`, `acme:`, `"acme:web 1"`, and after a comma. */
const NAMED = /(?<=^|[\s,"'“”])([a-z][a-z0-9-]{0,19}):/gi;

/** The accounts that a line names, and the line without their names. What somebody gives as a reason names none. Pure. */
export function takeNames(
  text: string,
  known: readonly string[],
): { readonly names: readonly string[]; readonly rest: string } {
  const names = new Set<string>();
  const rest = text.replace(NAMED, (whole, word: string, at: number) => {
    const name = word.toLowerCase();
    if (!known.includes(name) || !mayName(word, text.slice(0, at), text.slice(at + whole.length)))
      return whole;
    names.add(name);
    return '';
  });
  return { names: [...names], rest };
}

/**
 * The one account that a line names as a word of its own, as in "the labs db", and the line without it; undefined for none or several.
 * What stands in quotation marks, or after an option, names none, nor does a part of a pattern. `isSentence`: "in the labs account"
 * goes as a whole; the words of a command may mean something by themselves. Pure.
 */
export function takePlainName<Served extends OfAccount>(
  text: string,
  among: readonly Served[],
  isSentence: boolean,
): { readonly served: Served; readonly text: string } | undefined {
  const end = text.search(QUOTED_OR_OPTION);
  const [said, rest] = end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end)];
  const named = among.flatMap((served) => {
    const before = isSentence ? BEFORE_A_NAME : '';
    const after = isSentence ? AFTER_A_NAME : '';
    const word = new RegExp(
      `(?<=^|\\s)${before}${served.account.name}${after}(?=$|\\s|[?!.,;]+(?:\\s|$))`,
      'i',
    );
    const without = said
      .replace(word, '')
      .replaceAll(/\s{2,}/g, ' ')
      .trimStart();
    return word.test(said) ? [{ served, text: `${without}${rest}` }] : [];
  });
  const [only, ...others] = named;
  return others.length === 0 ? only : undefined;
}

const QUOTED_OR_OPTION = /["\u201c\u201d\u201e\u00ab\u2018]|(?<=^|\s)'|(?<=\s)(?:--|[\u2013\u2014])/;
const BEFORE_A_NAME = '(?:(?:over in|in|on|at|of|for|the) +)*';
const AFTER_A_NAME = "(?:['\u2019]s?)?(?: +account)?";

/** Whether an instance may be named between what stands before and after: in no sentence in quotes, and in no option's value. */
function mayName(word: string, before: string, after: string): boolean {
  const isQuoted = /["'“”]$/.test(before);
  if (isQuoted && /^\s/.test(after)) return false;
  const outside = isQuoted ? before.slice(0, -1) : before;
  const { words, doubt } = splitWords(outside.replace(/\S*$/, ''));
  return doubt !== 'unmatched quote' && isName(word, words.at(-1));
}

/** An account, and what was set in Slack for it. */
export interface WithDefaults extends OfAccount {
  readonly accessStore: Pick<AccessStore, 'get'>;
}

/**
 * The account that is meant in the caller's channel where none is named: the one that was set there last, in whichever account,
 * else that of the file. Undefined where there is none, where it was removed, where the caller can't reach it, and where what was set
 * can't be read: a change must not go to another then.
 */
export async function ownOf<Served extends WithDefaults>(
  served: readonly Served[],
  reachable: readonly Served[],
  { channelId }: Caller,
): Promise<Served | undefined> {
  if (channelId === undefined || reachable.length < 2) return reachable[0];
  const sets = await Promise.all(
    served.map(async (one) => {
      const record = await one.accessStore.get().catch(() => undefined);
      return { one, isRead: record !== undefined, set: record && defaultIn(record, channelId) };
    }),
  );
  if (sets.some(({ isRead }) => !isRead)) return undefined;
  const [newest] = sets.toSorted((one, other) => (other.set?.at ?? 0) - (one.set?.at ?? 0));
  const own = newest?.set
    ? newest.set.isDefault
      ? newest.one
      : undefined
    : served.find(({ account }) => account.defaultIn.includes(channelId));
  return reachable.find((one) => one === own);
}

/** No account can be reached by this person from this place. */
export function noneHere(): Message {
  return {
    lines: [
      say`There is no hosting account that you can reach from here. Ask in a channel of your team's account, or ask the person who runs this bot.`,
    ],
  };
}

/** Something of an account was used where it can't be reached. */
export function notReachable(): Message {
  return { lines: [say`That belongs to an account that you can't reach from here, so nothing was done.`] };
}

/** One request is about one account. */
function severalNamed(names: readonly string[]): Message {
  return { lines: [say`That names several accounts: ${names.join(', ')}. Ask for one at a time.`] };
}

/** It isn't clear which is meant. `names`: those that can be reached, at least two; `buttons`: the same line for each. */
export function whichAccount(names: readonly string[], buttons: readonly Button[]): Message {
  const [first = ''] = names;
  const last = names.at(-1) ?? '';
  return question({
    lines: [say`Which account: ${names.slice(0, -1).join(', ')} or ${last}?`],
    note: say`Next time, you can put its name first, as in ${first}:web-1.`,
    buttons,
  });
}

const accountKeys = {
  /** To which accounts a message went that names none. */
  wentTo: (messageId: string): string => key('line-account', messageId),
  /** The account whose Home a person looked at last. */
  chosen: (userId: string): string => key('home-account', userId),
} as const;

/** The account whose Home each person looked at last. */
export interface ChosenAccounts {
  /** Its name; undefined where it was long ago, or never. */
  find(userId: string): Promise<string | undefined>;
  choose(userId: string, name: string): Promise<void>;
  /**
   * To which accounts a message went that names none; no names where its person was asked, undefined where it is new. Slack may
   * deliver it again when another answer would be right by then.
   */
  findWent(messageId: string): Promise<readonly string[] | undefined>;
  keepWent(messageId: string, names: readonly string[]): Promise<void>;
}

const KEPT_MS = 90 * DAY_MS;
/** Longer than Slack delivers an event again. */
const WENT_MS = HOUR_MS;

export function createChosenAccounts(redis: RedisConnection): ChosenAccounts {
  return {
    find: async (userId) => (await redis.get(accountKeys.chosen(userId))) ?? undefined,
    choose: async (userId, name) => {
      await redis.set(accountKeys.chosen(userId), name, 'PX', KEPT_MS);
    },
    findWent: async (messageId) => {
      const went = await redis.get(accountKeys.wentTo(messageId));
      return went?.split(' ').filter((name) => name !== '');
    },
    keepWent: async (messageId, names) => {
      await redis.set(accountKeys.wentTo(messageId), names.join(' '), 'PX', WENT_MS);
    },
  };
}
