import type { Access } from '../policy/access.ts';
import { Refusal } from '../refusal.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import { type Ask, isWrite, type Reply, type Route } from '../routing/route.ts';
import type { Log } from '../../platform/log/log.ts';
import { atMost } from '../../platform/time/at-most.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import type { Message } from '../../platform/slack/message.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import type { Recipient, Responder } from '../../platform/slack/responder.ts';
import type { RouteTable } from '../routing/routes.ts';
import type { FindSubject, Subject } from '../lookup/subject.ts';
import { aboutOf, saying } from './about.ts';
import type { KeptWords } from './kept-words.ts';
import { hostingWords, wentWrong } from './messages.ts';
import { permitted } from './permitted.ts';

/** The request edge. */
export interface Answer {
  /**
   * Rights, the handler, and whatever went wrong as words; nothing where a card says it. `isNo`: it was not done.
   * Never throws.
   */
  decide(ask: Ask, route: Route): Promise<{ readonly reply: Reply; readonly isNo: boolean }>;
  /** A no that was decided elsewhere, which says what it is about. Never throws. */
  refuse(ask: Ask, route: Route, no: Phrase): Promise<Message>;
  /**
   * Tells the person alone. `not yet`: Slack is in trouble, and another try may get through; `never`: it won't. Never
   * throws: a fault is logged.
   */
  tell(recipient: Recipient, reply: Message): Promise<'told' | 'not yet' | 'never'>;
}

/** How long the name behind a button is waited for: before an acknowledgement only a moment, since Slack waits for that. */
const SUBJECT_WITHIN_MS = { decide: 2_000, refuse: 300 };

export function createAnswer(deps: {
  access: Access;
  responder: Responder;
  keptWords: KeptWords;
  routes: RouteTable;
  findSubject: FindSubject;
  now: () => number;
  log: Log;
}): Answer {
  const { access, responder, keptWords, routes, log } = deps;
  return {
    decide: async (ask, route) => {
      const asked = { request: ask.id, route: route.id, by: ask.actor.userId };
      try {
        if (route.permission !== undefined) await access.require(ask.actor, route.permission);
        const reply = await route.handle(await completed(ask));
        log.info(asked, 'answered');
        return { reply: reply && (await shown(ask, reply)), isNo: false };
      } catch (error) {
        const isGeneral = !(error instanceof Refusal) || error.code === 'not-checked';
        const no = await aboutIt(ask, route, wordsFor(error, ask, route, asked), isGeneral, 'decide');
        return { reply: await keeping(ask, await shown(ask, no)), isNo: true };
      }
    },
    refuse: (ask, route, no) => aboutIt(ask, route, { lines: [no] }, true, 'refuse'),
    tell: async (recipient, reply) => {
      try {
        await responder.tell(recipient, reply);
        return 'told';
      } catch (error) {
        const { code, dead } = slackErrorOf(error);
        log.warn({ request: recipient.id, by: recipient.actor.userId, code }, 'answering the person');
        return dead ? 'never' : 'not yet';
      }
    },
  };

  /** A pick, with the words that it completes. */
  async function completed(ask: Ask): Promise<Ask> {
    if (ask.picked === undefined) return ask;
    const { value, ...pick } = ask;
    const words = value === undefined ? undefined : await keptWords.find(value);
    return { ...pick, words: [...(words ?? [])] };
  }

  /** An answer whose picker keeps the words that were typed. */
  async function keeping(ask: Ask, answer: Message): Promise<Message> {
    const { picker } = answer;
    if (!picker || ask.words.length === 0) return answer;
    return orInWords(answer, async () => {
      const keeps = await keptWords.keep(ask.words);
      return keeps === undefined ? answer : { ...answer, picker: { ...picker, keeps } };
    });
  }

  function shown(ask: Ask, reply: Message): Promise<Message> {
    return orInWords(reply, () => permitted({ access, routes: routes.byId, log }, ask.actor, reply));
  }

  /** What `making` makes of an answer; where that fails, its words all the same, with nothing to press. */
  async function orInWords(answer: Message, making: () => Promise<Message>): Promise<Message> {
    try {
      return await making();
    } catch (error) {
      log.error({ error }, 'making an answer that can be pressed');
      const { buttons: _, menu: __, picker: ___, modal: ____, ...inWords } = answer;
      return inWords;
    }
  }

  /** A no that says what it is about: not every no is read next to what was asked. */
  async function aboutIt(
    ask: Ask,
    route: Route,
    no: Message,
    isGeneral: boolean,
    when: keyof typeof SUBJECT_WITHIN_MS,
  ): Promise<Message> {
    const find = (value: string): Promise<Subject | undefined> => findSubject(value, SUBJECT_WITHIN_MS[when]);
    return saying(await aboutOf(ask, route, find), no, isGeneral);
  }

  function findSubject(value: string, withinMs: number): Promise<Subject | undefined> {
    const finding = deps.findSubject(value).catch((error: unknown) => {
      if (!isRedisAway(error)) log.error({ error }, 'finding what a button is about');
      return undefined;
    });
    return atMost(withinMs, finding);
  }

  function wordsFor(error: unknown, ask: Ask, route: Route, asked: object): Message {
    if (error instanceof Refusal) {
      log.info({ ...asked, code: error.code }, 'refused');
      return error.code === 'no-such-instance' && ask.isVerbless ? notUnderstood(error, ask) : error.answer;
    }
    const ref = ask.id.slice(0, 8);
    if (error instanceof HostingError) {
      log.warn({ ...asked, ref, error }, 'answering');
      return { lines: [hostingWords(error, { ref, isRead: !isWrite(route, ask.words), now: deps.now() })] };
    }
    log.error({ ...asked, ref, error }, 'answering');
    return { lines: [wentWrong(ref)] };
  }

  /** Words without a verb that are no instance: several begin with what was meant as a verb, one may be either. */
  function notUnderstood({ answer }: Refusal, ask: Ask): Message {
    const [word = '', ...more] = ask.words;
    const hint = routes.verbHint(ask.route, word);
    if (more.length === 0) return { ...answer, note: hint };
    return {
      lines: [say`"${ask.words.join(' ')}" is no instance, and "${word}" is no verb. ${hint}`],
    };
  }
}
