import { withChoices } from '../ask/question.ts';
import type { Entry } from '../audit/entry.ts';
import type { Access } from '../policy/access.ts';
import type { Rule } from '../policy/decide.ts';
import { isChange } from '../policy/permissions.ts';
import { Refusal } from '../refusal.ts';
import type { Ask, Reply } from '../ask/ask.ts';
import type { Log } from '../../platform/log/log.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import type { Message } from '../../platform/slack/message.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { withHelp } from './after-fault.ts';
import { createAttemptEntry } from './attempt-entry.ts';
import { errorAnswer } from './error-answer.ts';
import { completePick } from './complete-pick.ts';
import { refuseWordsAfter } from './no-words.ts';
import { offerToTell } from './offer-to-tell.ts';
import { rememberQuestion } from './open-questions.ts';
import { isWrittenDown, permissionFor, type Route } from './route.ts';
import { capitalized } from './about.ts';
import { findAbout } from './find-about.ts';
import { sayNo, type SayNoDeps, showOnlyAllowed } from './say-no.ts';
import type { ReadSentence } from './sentence.ts';
import { SLIPS } from './slips.ts';

/** What a request came to. */
interface Decided {
  readonly reply: Reply;
  readonly isNo: boolean;
  /** It is an operation now, and nothing is left of the request itself. */
  readonly isBegun: boolean;
  /** What the audit keeps of it, where it is not kept already. */
  readonly entry: Entry | undefined;
}

/**
 * Rights, the handler, and whatever went wrong as words; nothing where a card says it. Throws where Redis is away and the
 * request is written down, so that it can be run again, and what it `mayWait` out.
 */
export type Decide = (ask: Ask, route: Route, mayWait?: (error: unknown) => boolean) => Promise<Decided>;

export function createDecide(deps: SayNoDeps & { readonly readSentence: ReadSentence }): Decide {
  const { access, offers, log } = deps;
  const decide: Decide = async (asked, route, mayWait = () => false) => {
    // The audit keeps the words as they were typed.
    const attempt = createAttemptEntry(asked, route, deps.now);
    let ask = asked;
    let by: Rule | undefined;
    try {
      const permission = permissionFor(route, ask.words);
      if (permission !== undefined) {
        const at = { channelId: ask.place.channelId, route: route.id, operationId: ask.id };
        const rule = await access.require(ask.actor, permission, 'any', at);
        // What changes an instance uses it up where its operation begins.
        if (!isChange(permission)) by = rule;
        if (by) await access.use(by, ask.id);
      }
      refuseWordsAfter(route, ask.words);
      ask = await deps.resolveThis(asked, route);
      const answer = await route.handle(await completePick(offers, ask), attempt.audit);
      const reply = answer?.isOutdated ? await offerToTell(deps, ask, route, answer) : answer;
      log.info({ request: ask.id, route: route.id, by: ask.actor.userId }, 'answered');
      return {
        reply: reply && (await remember(deps, ask, route, await showOnlyAllowed(deps, ask, reply))),
        isNo: false,
        isBegun: attempt.isBegun(),
        entry: attempt.done(),
      };
    } catch (error) {
      if (isRedisAway(error) ? isWrittenDown(route, ask.words) : mayWait(error)) throw error;
      if (by && error instanceof Refusal) await giveBack(deps, ask, by);
      const entry = attempt.failed(error);
      const meant = await decideMeant(asked, route, error, entry);
      if (meant) return meant;
      const reply = await remember(deps, ask, route, await sayNo(deps, ask, route, error));
      return { reply, isNo: true, isBegun: false, entry };
    }
  };

  /** What a line comes to whose words weren't understood, where it is a sentence. */
  async function decideMeant(
    asked: Ask,
    refusedBy: Route,
    error: unknown,
    refused: Entry | undefined,
  ): Promise<Decided | undefined> {
    if (!(error instanceof Refusal) || !SLIPS.has(error.code) || asked.line === undefined) return undefined;
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
        const entry = createAttemptEntry(ask, route, deps.now).failed(meant.refused);
        return { reply: await sayNo(deps, ask, route, meant.refused), ...isNo, entry };
      }
      const decided = await decide(ask, route);
      return { ...decided, reply: decided.reply && withNote(decided.reply, meant.note) };
    } catch (failed) {
      if (isRedisAway(failed) && isWrittenDown(refusedBy, asked.words)) throw failed;
      const reply = errorAnswer(deps, failed, asked, refusedBy);
      const helped = await withHelp(deps, failed, asked, refusedBy, reply);
      return { reply: await showOnlyAllowed(deps, asked, helped), ...isNo };
    }
  }
  return decide;
}

/** An answer that says how the line was read as well. */
function withNote(answer: Message, note: Phrase | undefined): Message {
  if (!note) return answer;
  return { ...answer, note: answer.note ? say`${answer.note} · ${note}` : note };
}

/** An answer, of which it is remembered what it asks; what waits for another answer is asked by none. */
async function remember(deps: SayNoDeps, ask: Ask, route: Route, answer: Message): Promise<Message> {
  if (route.serves === 'cancel') return answer;
  return rememberQuestion(deps.offers, ask, answer, () => whatIsAsked(deps, ask, route));
}

async function whatIsAsked(deps: SayNoDeps, ask: Ask, route: Route): Promise<Phrase> {
  if (ask.words.length === 0 && ask.value === undefined && ask.picked === undefined)
    return say`${capitalized(route.verb)}`;
  return (await findAbout(deps, ask, route)).words;
}

/** A refusal leaves what was allowed once as it was. */
async function giveBack(
  { access, log }: { readonly access: Access; readonly log: Log },
  { id }: Ask,
  rule: Rule,
): Promise<void> {
  await access
    .giveBack(rule, id)
    .catch((error: unknown) => log.error({ request: id, error }, 'giving back what was allowed once'));
}
