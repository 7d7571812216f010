import type { Entry } from '../audit/entry.ts';
import type { Access } from '../policy/access.ts';
import { NoRight } from '../policy/no-access.ts';
import { isChange } from '../policy/permissions.ts';
import type { AccessRequestStore } from '../policy/access-requests.ts';
import type { Rule } from '../policy/decide.ts';
import { Refusal } from '../refusal.ts';
import { refuseWordsAfter } from './no-words.ts';
import type { Ask, Reply } from '../ask/ask.ts';
import { isWrittenDown, permissionFor, type Route } from './route.ts';
import type { Log } from '../../platform/log/log.ts';
import { atMost } from '../../platform/time/at-most.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Phrase } from '../../platform/slack/phrase.ts';
import type { Recipient, Responder } from '../../platform/slack/responder.ts';
import type { FindSubject, Subject } from './subject.ts';
import type { ResolveThis } from './this.ts';
import { aboutOf, saying } from './about.ts';
import { withAskButton } from './ask-for-right.ts';
import { createAttemptEntry } from './attempt-entry.ts';
import { errorAnswer, type ErrorAnswerDeps } from './error-answer.ts';
import type { Offers } from '../offers/offers.ts';
import { hideForbidden } from './hide-forbidden.ts';
import { completePick, keepTyped } from './complete-pick.ts';

/** What a request came to. */
interface Decided {
  readonly reply: Reply;
  readonly isNo: boolean;
  /** It is an operation now, and nothing is left of the request itself. */
  readonly isBegun: boolean;
  /** What the audit keeps of it, where it is not kept already. */
  readonly entry: Entry | undefined;
}

/** The request edge. */
export interface Answer {
  /**
   * Rights, the handler, and whatever went wrong as words; nothing where a card says it. `isNo`: it was not done.
   * Throws where Redis is away and the request is written down, so that it can be run again, and what it `mayWait` out.
   */
  decide(ask: Ask, route: Route, mayWait?: (error: unknown) => boolean): Promise<Decided>;
  /** A no that was decided elsewhere, which says what it is about. Never throws. */
  refuse(ask: Ask, route: Route, no: Phrase): Promise<Message>;
  /**
   * Tells the person alone. `not yet`: Slack is in trouble, and another try may get through; `never`: it won't. Never
   * throws: a fault is logged.
   */
  tell(recipient: Recipient, reply: Message): Promise<'delivered' | 'not yet' | 'never'>;
  /** Whether a reply can be sent with the acknowledgement of its request. */
  fitsAcknowledgement(reply: Message): boolean;
}

/** How long the name behind a button is waited for: before an acknowledgement only a moment, since Slack waits for that. */
const SUBJECT_WITHIN_MS = { decide: 2_000, refuse: 300 };

export function createAnswer(
  deps: ErrorAnswerDeps & {
    readonly access: Access;
    readonly accessRequests: AccessRequestStore;
    readonly responder: Responder;
    readonly offers: Offers;
    readonly findSubject: FindSubject;
    readonly resolveThis: ResolveThis;
  },
): Answer {
  const { access, responder, offers, routes, log } = deps;
  return {
    decide: async (asked, route, mayWait = () => false) => {
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
        const reply = await route.handle(await completePick(offers, ask), attempt.audit);
        log.info({ request: ask.id, route: route.id, by: ask.actor.userId }, 'answered');
        return {
          reply: reply && (await shown(ask, reply)),
          isNo: false,
          isBegun: attempt.isBegun(),
          entry: attempt.done(),
        };
      } catch (error) {
        if (isRedisAway(error) ? isWrittenDown(route, ask.words) : mayWait(error)) throw error;
        if (by && error instanceof Refusal) await giveBack(deps, ask, by);
        const isGeneral = !(error instanceof Refusal) || error.code === 'not-checked';
        const no = await aboutIt(ask, route, errorAnswer(deps, error, ask, route), isGeneral, 'decide');
        const shownNo =
          error instanceof NoRight
            ? await orInWords(log, no, () => withAskButton(deps, route, ask, no, error))
            : no;
        const seen = await shown(ask, shownNo);
        const kept = await orInWords(log, seen, () => keepTyped(offers, ask, seen));
        return { reply: kept, isNo: true, isBegun: false, entry: attempt.failed(error) };
      }
    },
    fitsAcknowledgement: (reply) => responder.fitsAcknowledgement(reply),
    refuse: (ask, route, no) => aboutIt(ask, route, { lines: [no] }, true, 'refuse'),
    tell: async (recipient, reply) => {
      try {
        await responder.tell(recipient, reply);
        return 'delivered';
      } catch (error) {
        const { code, dead } = slackErrorOf(error);
        log.warn({ request: recipient.id, by: recipient.actor.userId, code }, 'answering the person');
        return dead ? 'never' : 'not yet';
      }
    },
  };

  function shown(ask: Ask, reply: Message): Promise<Message> {
    return orInWords(log, reply, () => hideForbidden({ access, routes: routes.byId, log }, ask, reply));
  }

  /** A no that says what it is about: not every no is read next to what was asked. */
  async function aboutIt(
    ask: Ask,
    route: Route,
    no: Message,
    isGeneral: boolean,
    when: keyof typeof SUBJECT_WITHIN_MS,
  ): Promise<Message> {
    const find = (value: string) => findWithin(deps, SUBJECT_WITHIN_MS[when], value);
    return saying(await aboutOf(ask, route, routes.nounOf(route.id), find), no, isGeneral);
  }
}

/** What a button is about, if that is known in time. */
function findWithin(
  { findSubject, log }: { readonly findSubject: FindSubject; readonly log: Log },
  withinMs: number,
  value: string,
): Promise<Subject | undefined> {
  const finding = findSubject(value).catch((error: unknown) => {
    if (!isRedisAway(error)) log.error({ error }, 'finding what a button is about');
    return undefined;
  });
  return atMost(withinMs, finding);
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

/** What `making` makes of an answer; where that fails, its words all the same, with nothing to press. */
async function orInWords(log: Log, answer: Message, making: () => Promise<Message>): Promise<Message> {
  try {
    return await making();
  } catch (error) {
    log.error({ error }, 'making an answer that can be pressed');
    const {
      rows = [],
      filters: _,
      buttons: __,
      menu: ___,
      picker: ____,
      several: _____,
      modal: ______,
      ...inWords
    } = answer;
    const bullets = [...(inWords.bullets ?? []), ...rows.map(({ line }) => line)];
    return bullets.length > 0 ? { ...inWords, bullets } : inWords;
  }
}
