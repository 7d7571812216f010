import type { AccessRule } from '../policy/decide.ts';
import { isChange } from '../policy/permissions.ts';
import { isRefusalOf, Refusal } from '../refusal.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import { mayBeDone } from './messages.ts';
import { type Entry, entryOf } from '../audit/entry.ts';
import type { Ask, Reply } from '../ask/ask.ts';
import { withChoices } from '../ask/question.ts';
import type { Message } from '../../platform/slack/message.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { capitalized } from './about.ts';
import { rememberQuestion } from './open-questions.ts';
import { completePick } from './kept-words.ts';
import {
  type Route,
  isWrite,
  isWrittenDown,
  permissionFor,
  refuseWordsAfter,
  type AuditAttempt,
} from './route.ts';
import { isGeneralNo, refusing, sayNo, showOnlyAllowed, findAbout } from './say-no.ts';
import type { Answering } from './answering.ts';
import type { ReadSentence } from './sentence.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';

/** What the audit keeps of one attempt, put together while it is carried out. */
export interface AttemptEntry {
  readonly audit: AuditAttempt;
  /** The entry of an attempt that came to its end; undefined for a read, or where it has one already. */
  done(): Entry | undefined;
  /** The entry of one that ended with an error. A read is kept where it was refused for want of a right. */
  failed(error: unknown): Entry | undefined;
  /** Whether nothing is left of the request. */
  isBegun(): boolean;
}

/** `now`: Redis' clock, Unix ms. */
export function createAttemptEntry(ask: Ask, route: Pick<Route, 'writes'>, now: () => number): AttemptEntry {
  let more: Partial<Entry> = {};
  let [isRecorded, isBegun] = [false, false];
  const writes = isWrite(route, ask.words);
  return {
    audit: (added) => {
      if (typeof added === 'object') more = { ...more, ...added };
      else [isRecorded, isBegun] = [true, added === 'begun'];
    },
    done: () => (writes && !isRecorded ? entryOf(ask, 'set', now(), { result: 'done', ...more }) : undefined),
    failed: (error) => {
      const isOfRight = error instanceof Refusal && isRefusalOf(error.code, 'right');
      if (!writes && !isOfRight) return undefined;
      const came = cameOf(error, ask.words);
      return entryOf(ask, came.what, now(), { ...more, ...came });
    },
    isBegun: () => isBegun,
  };
}

/** The entry of an attempt of which nobody knows whether an earlier run carried it out. Pure. */
export function ofUnknown(entry: Entry): Entry {
  return { ...entry, what: 'failed', result: 'unknown' };
}

/** What the audit says of an attempt that ended with an error. */
function cameOf(error: unknown, words: readonly string[]): Pick<Entry, 'what' | 'result'> {
  if (!(error instanceof Refusal))
    return { what: 'failed', result: error instanceof HostingError ? error.fault : 'error' };
  const back = askedBack(error, words);
  if (back !== undefined) return { what: 'shown', result: back };
  return { what: isRefusalOf(error.code, 'expired') ? 'expired' : 'refused', result: error.code };
}

/** What the audit says of a request that was answered by a question; undefined for one that was refused. Pure. */
function askedBack(
  { code, answer, instead }: Refusal,
  words: readonly string[],
): 'missing' | 'meant' | undefined {
  if (!isRefusalOf(code, 'question')) return undefined;
  const offered = instead(words);
  const isPicked = answer.picker !== undefined || answer.blanks !== undefined || answer.modal !== undefined;
  if (offered.length === 0) return isPicked ? 'missing' : undefined;
  return offered.every((list) => list.some((one) => typeof one !== 'string')) ? 'missing' : 'meant';
}

/** What a request came to. */
interface Decided {
  readonly reply: Reply;
  readonly isNo: boolean;
  /** It says that nothing was done, of a request that another run may have carried out meanwhile. */
  readonly isGeneral?: boolean;
  /** It is an operation now, and nothing is left of the request itself. */
  readonly isBegun: boolean;
  /** What the audit keeps of it, where it is not kept already. */
  readonly entry: Entry | undefined;
}

/** How a request is decided that is written down. */
interface How {
  /** Whether it waits until what failed so can be tried again. */
  readonly mayWait?: (error: unknown) => boolean;
  /** Whether an earlier run may have carried it out, so that no is not said of what was done. */
  readonly isAgain?: boolean;
}

/**
 * Rights, the handler, and whatever went wrong as words; nothing where a card says it. Throws where Redis is away and the
 * request is written down, so that it can be run again, and what it `mayWait` out.
 */
export type Decide = (ask: Ask, route: Route, how?: How) => Promise<Decided>;

export function createDecide(deps: Answering & { readonly readSentence: ReadSentence }): Decide {
  const { access, offers, log } = deps;
  const decideMeant = createDecideMeant(deps, (...asked) => decide(...asked));
  const decide: Decide = async (asked, route, { mayWait = () => false, isAgain = false } = {}) => {
    // The audit keeps the words as they were typed.
    const attempt = createAttemptEntry(asked, route, deps.clock.now);
    let ask = asked;
    let by: AccessRule | undefined;
    try {
      const permission = permissionFor(route, ask.words);
      if (permission !== undefined) {
        const channelId = (await route.askedIn?.(ask)) ?? ask.place.channelId;
        const at = { channelId, route: route.id, operationId: ask.id };
        const rule = await access.require(ask.actor, permission, 'any', at);
        // What changes an instance asks again for that one.
        if (!isChange(permission)) by = rule;
      }
      refuseWordsAfter(route, ask.words);
      ask = await deps.resolveThis(asked, route);
      const reply = await route.handle(await completePick(offers, ask), attempt.audit, by);
      // What is written has used it up in its commit. What is only shown does nothing, and a look that failed may be asked for again.
      if (!isWrite(route, ask.words)) await access.use([by], ask.id);
      log.info({ request: ask.id, route: route.id, by: ask.actor.userId }, 'answered');
      return {
        reply: reply && (await remember(deps, ask, route, await showOnlyAllowed(deps, ask, reply))),
        isNo: false,
        isBegun: attempt.isBegun(),
        entry: attempt.done(),
      };
    } catch (error) {
      if (isRedisAway(error) ? isWrittenDown(route, ask.words) : mayWait(error)) throw error;
      const entry = attempt.failed(error);
      const meant = await decideMeant(asked, route, error, { entry, isAgain });
      if (meant) return meant;
      const mayBeOwn = isAgain && (isGeneralNo(error) || isOver(error));
      const came = mayBeOwn ? await cameBefore(refusing(deps), ask, route) : undefined;
      if (came) return { reply: came, isNo: false, isBegun: false, entry: entry && ofUnknown(entry) };
      const reply = await remember(deps, ask, route, await sayNo(deps, ask, route, error));
      const isGeneral = (isGeneralNo(error) || isOver(error)) && isWrite(route, ask.words);
      return { reply, isNo: true, isGeneral, isBegun: false, entry };
    }
  };

  return decide;
}

function isOver(error: unknown): boolean {
  return error instanceof Refusal && isRefusalOf(error.code, 'over');
}

/** What a line comes to whose words weren't understood, where it is a sentence. `isAgain`: as of a request. */
type DecideMeant = (
  asked: Ask,
  refusedBy: Route,
  error: unknown,
  how: { readonly entry: Entry | undefined; readonly isAgain: boolean },
) => Promise<Decided | undefined>;

/** How a line is decided whose words weren't understood. `decide`: how the sentence that it is, is. */
function createDecideMeant(
  deps: Answering & { readonly readSentence: ReadSentence },
  decide: Decide,
): DecideMeant {
  return async (asked, refusedBy, error, { entry: refused, isAgain }) => {
    if (!(error instanceof Refusal) || asked.line === undefined) return undefined;
    if (!isRefusalOf(error.code, 'slip')) return undefined;
    const isNo = { isNo: true, isBegun: false, entry: refused };
    try {
      const meant = await deps.readSentence(asked, error.code);
      if (!meant) return undefined;
      // A sentence is answered: nothing was tried, and so nothing refused.
      if ('reply' in meant)
        return { ...isNo, reply: await showOnlyAllowed(deps, asked, meant.reply), entry: undefined };
      if ('buttons' in meant) {
        const no = await sayNo(deps, asked, refusedBy, error);
        // One way to say what may have been meant is enough.
        if (meant.isRepair && error.instead(asked.words).length > 0)
          return { reply: await remember(deps, asked, refusedBy, no), ...isNo };
        const more = await showOnlyAllowed(deps, asked, { lines: [], buttons: meant.buttons });
        const reply = withChoices(no, more.buttons ?? []);
        return { reply: await remember(deps, asked, refusedBy, reply), ...isNo };
      }
      const { ask, route } = meant;
      if ('refused' in meant) {
        const entry = createAttemptEntry(ask, route, deps.clock.now).failed(meant.refused);
        return { reply: await sayNo(deps, ask, route, meant.refused), ...isNo, entry };
      }
      const decided = await decide(ask, route, { isAgain });
      return { ...decided, reply: decided.reply && withNote(decided.reply, meant.note) };
    } catch (failed) {
      if (isRedisAway(failed) && isWrittenDown(refusedBy, asked.words)) throw failed;
      const came = isAgain ? await cameBefore(refusing(deps), asked, refusedBy) : undefined;
      if (came) return { reply: came, isNo: false, isBegun: false, entry: refused && ofUnknown(refused) };
      const isGeneral = isWrite(refusedBy, asked.words);
      return { reply: await sayNo(deps, asked, refusedBy, failed), ...isNo, isGeneral };
    }
  };
}

/** An answer that says how the line was read as well. */
function withNote(answer: Message, note: Phrase | undefined): Message {
  if (!note) return answer;
  return { ...answer, note: answer.note ? say`${answer.note} · ${note}` : note };
}

/** An answer, of which it is remembered what it asks; what waits for another answer is asked by none. */
async function remember(deps: Answering, ask: Ask, route: Route, answer: Message): Promise<Message> {
  if (route.serves === 'cancel') return answer;
  return rememberQuestion(deps.offers, ask, answer, () => whatIsAsked(deps, ask, route));
}

async function whatIsAsked(deps: Answering, ask: Ask, route: Route): Promise<Phrase> {
  if (ask.words.length === 0 && ask.value === undefined && ask.picked === undefined)
    return say`${capitalized(route.verb)}`;
  return (await findAbout(deps, ask, route)).words;
}

/**
 * What is said in place of a no to a request that an earlier run may have carried out, which was cut off or still goes on: what came of it, or that
 * nobody knows. Undefined where nothing did. `refuse`: a no that says what it is about.
 */
export async function cameBefore(
  refuse: (ask: Ask, route: Route, no: Phrase) => Promise<Message>,
  ask: Ask,
  route: Route,
): Promise<Message | undefined> {
  if (!isWrite(route, ask.words)) return undefined;
  const came = (await route.came?.(ask)) ?? (await refuse(ask, route, mayBeDone()));
  return came === 'nothing' ? undefined : came;
}
