import { parseFilters, isFilter } from '../instances/filter.ts';
import { findExactly } from '../lookup/find.ts';
import { Refusal } from '../refusal.ts';
import { type Phrasebook, phrasebookOf } from '../sentences/phrasebook.ts';
import { understand } from '../sentences/understand.ts';
import type { OfferedChange } from '../sentences/understood.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import type { Ask } from '../ask/ask.ts';
import { isName } from './about.ts';
import { type Matched, matchOrSay } from './match.ts';
import type { Message } from '../../platform/slack/message.ts';
import { nounOf } from './command.ts';
import { isWrite } from './route.ts';
import { spotOf } from './spot.ts';
import type { Listening } from './listeners.ts';
import type { Routed } from './routes.ts';

/** What a line is to one of several accounts, before anybody knows which of them is meant. */
export interface Claim {
  /** It shows something, it changes something, or it is about no account: help, thanks, words that mean nothing. */
  readonly kind: 'read' | 'change' | 'talk';
  /** Whether what it names is there: by its name or a filter that matches, by a name that is nearly that, or not at all. */
  readonly has: 'exactly' | 'nearly' | 'nothing';
  /** The one change that a sentence asks for, to be offered as a button. */
  readonly change?: Pick<OfferedChange, 'routeId' | 'words' | 'about'>;
  /** Instances whose ids are among its words. */
  readonly byId?: readonly Instance[];
}

/** What a line is, whatever there is at any account. */
export interface LineKind {
  /** It is a command that changes something. */
  readonly isChange: boolean;
  /** Whether the plain name of an account among its words means that account, and nothing else. */
  readonly mayName: (account: string) => boolean;
}

/** Who says a line, and where. */
export type Said = Pick<Ask, 'actor' | 'place' | 'askedAt'>;

export type ReadLineKind = (line: string, command: string | undefined) => LineKind;

export function createReadLineKind(deps: Pick<Listening, 'routes' | 'commandPrefix'>): ReadLineKind {
  return (line, command) => {
    const matched = matchLine(deps, line, command);
    if ('lines' in matched) return { isChange: false, mayName: () => false };
    const { isChange, mayName } = kindOf(matched);
    return { isChange, mayName: (account) => mayName || isOfAll(matched, account) };
  };
}

/** `mayName`: its words may name instances, and so the account that has them. */
function kindOf({ route, words }: Matched): { readonly isChange: boolean; readonly mayName: boolean } {
  const isChange = isWrite(route, words);
  return { isChange, mayName: !isChange || route.namesInstances === true };
}

/** Whether what is changed for a whole account is changed for the one of this name, by where that stands. */
function isOfAll({ route, words }: Matched, account: string): boolean {
  const at = words.findIndex((word) => word.toLowerCase().replace(/['\u2019]s?$/, '') === account);
  return at >= 0 && route.mayNameAccount?.(words.slice(0, at)) === true;
}

/** Changes nothing. Throws a HostingError or a Refusal where nobody can tell now what the account has. */
export type ClaimLine = (said: Said, line: string, command: string | undefined) => Promise<Claim>;

export function createClaimLine(deps: Routed & Pick<Listening, 'commandPrefix'>): ClaimLine {
  let book: Phrasebook | undefined;
  return async (said, line, command) => {
    const matched = matchLine(deps, line, command);
    if ('lines' in matched) return TALK;
    const { route, words } = matched;
    if (route.serves === 'help') return TALK;
    if (route.serves === 'now') return { kind: 'read', has: 'nothing' };
    const { spot, failed, down } = await spotOf(deps, { ...said, line });
    // What an account had a while ago says not for certain which of several has it now.
    const unknown = failed ?? down;
    if (unknown) throw unknown;
    const { all } = spot.known.names;
    const { isChange, mayName } = kindOf(matched);
    const kind = isChange ? 'change' : 'read';
    const byId = all.filter(({ id }) => words.includes(id));
    // "release" in a freeze's reason is no instance.
    const named = mayName ? words.filter((word, at) => isName(word, words[at - 1])) : [];
    if (await hasAny(deps, named, all, said.askedAt)) return { kind, has: 'exactly', byId };
    if (!mayName) return { kind, has: 'nothing', byId };
    // What is no command's name may be a sentence's.
    book ??= phrasebookOf([...deps.routes.byId.values()]);
    const understood = understand(book, line, spot);
    const isCommand = route.usage !== undefined;
    switch (understood?.what) {
      case undefined:
      case 'thanks':
        return isCommand ? { kind, has: 'nothing' } : TALK;
      case 'cannot':
        return { kind: isCommand ? kind : 'talk', has: understood.about.length > 0 ? 'exactly' : 'nothing' };
      case 'refrain':
        return { kind: 'talk', has: understood.about.length > 0 ? 'exactly' : 'nothing' };
      case 'which':
        return { kind: 'change', has: 'nothing' };
      case 'read':
        return { kind: isCommand ? kind : 'read', has: understood.about.length > 0 ? 'exactly' : 'nothing' };
      case 'offers': {
        const isNamed = understood.offers.some(({ about }) => about.length > 0);
        const { offers, isWhich } = understood;
        const [change, ...others] = offers;
        return {
          kind: 'change',
          has: isNamed ? (isWhich ? 'nearly' : 'exactly') : 'nothing',
          // What was said beside it is read, and said, where it is asked for.
          change: isCommand || others.length > 0 || understood.apart ? undefined : change,
        };
      }
    }
  };
}

const TALK: Claim = { kind: 'talk', has: 'nothing' };

/** Whether one of these words is the name of something that an account has, or its filters match something. */
async function hasAny(
  { favorites }: Pick<Listening, 'favorites'>,
  words: readonly string[],
  all: readonly Instance[],
  now: number,
): Promise<boolean> {
  if (words.some((word) => findExactly(word, all).found !== 'none')) return true;
  const filters = words.filter(isFilter);
  if (filters.length > 0 && all.some(matching(filters, now))) return true;
  for (const word of words) if (!isFilter(word) && (await favorites.find(word))) return true;
  return false;
}

/** What filters let through; nothing, where one of them can't be read. */
function matching(filters: readonly string[], now: number): (instance: Instance) => boolean {
  try {
    return parseFilters(filters, now);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return () => false;
  }
}

/** What a line leads to after `command` with its slash, or without one; or what the person reads where it means nothing. */
export function matchLine(
  { routes, commandPrefix }: Pick<Listening, 'routes' | 'commandPrefix'>,
  line: string,
  command: string | undefined,
): Matched | Message {
  return matchOrSay(() =>
    command === undefined
      ? routes.matchMention(line)
      : routes.matchCommand(nounOf(command, commandPrefix), line),
  );
}
