import type { Access } from '../access/access.ts';
import { HostingError, Refusal } from '../errors.ts';
import type { Ask, Reply, Route } from '../feature.ts';
import type { Log } from '../log/log.ts';
import { slackErrorOf } from '../slack/errors.ts';
import type { Message } from '../slack/message.ts';
import { say } from '../slack/phrase.ts';
import type { Responder } from '../slack/responder.ts';
import type { KeptWords } from './kept-words.ts';

/** The request edge. */
export interface Answer {
  /**
   * Rights, the handler, and whatever went wrong as words; nothing where a card says it. `isNo`: it was not done.
   * Never throws.
   */
  decide(ask: Ask, route: Route): Promise<{ readonly reply: Reply; readonly isNo: boolean }>;
  /**
   * Tells the person alone. `not yet`: Slack is in trouble, and another try may get through; `never`: it won't. Never
   * throws: a fault is logged.
   */
  tell(
    ask: Pick<Ask, 'id' | 'responseUrl' | 'replaces' | 'actor' | 'place' | 'triggerId'>,
    reply: Message,
  ): Promise<'told' | 'not yet' | 'never'>;
}

export function createAnswer(deps: {
  access: Access;
  responder: Responder;
  keptWords: KeptWords;
  log: Log;
}): Answer {
  const { access, responder, keptWords, log } = deps;
  return {
    decide: async (ask, route) => {
      const asked = { request: ask.id, route: route.id, by: ask.actor.userId };
      try {
        if (route.permission !== undefined) await access.require(ask.actor, route.permission);
        const reply = await route.handle(await completed(ask));
        log.info(asked, 'answered');
        return { reply, isNo: false };
      } catch (error) {
        return { reply: await keeping(wordsFor(error, ask, asked), ask), isNo: true };
      }
    },
    tell: async (ask, reply) => {
      try {
        await responder.tell(ask, reply);
        return 'told';
      } catch (error) {
        const { code, dead } = slackErrorOf(error);
        log.warn({ request: ask.id, by: ask.actor.userId, code }, 'answering the person');
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
  async function keeping(answer: Message, ask: Ask): Promise<Message> {
    if (!answer.picker || ask.words.length === 0) return answer;
    const keeps = await keptWords.keep(ask.words);
    return keeps === undefined ? answer : { ...answer, picker: { ...answer.picker, keeps } };
  }

  function wordsFor(error: unknown, ask: Ask, asked: object): Message {
    if (error instanceof Refusal) {
      log.info({ ...asked, code: error.code }, 'refused');
      return error.answer;
    }
    const ref = ask.id.slice(0, 8);
    if (error instanceof HostingError) {
      log.warn({ ...asked, ref, error }, 'answering');
      return { lines: [hostingWords(error, ref)] };
    }
    log.error({ ...asked, ref, error }, 'answering');
    return { lines: [say`Something went wrong on our side, so I can't tell. Ref ${ref}`] };
  }
}

/** A fault of the hosting API while reading: what it means for the person. */
function hostingWords(error: HostingError, ref: string): ReturnType<typeof say> {
  switch (error.fault) {
    case 'unauthorized':
    case 'forbidden':
      return say`The hosting service refused the bot's API key. Whoever runs the bot must check HOSTING_API_TOKEN. Ref ${ref}`;
    case 'rate-limited':
      return say`The hosting service takes no more requests just now. Try again in a minute. Ref ${ref}`;
    case 'unreadable':
      return say`The hosting service answered something I can't read, so nothing was done. Ref ${ref}`;
    case 'not-found':
      return say`The hosting service knows nothing of that, so nothing was done. Ref ${ref}`;
    default:
      return say`The hosting service does not answer just now, so nothing was done. Try again in a minute. Ref ${ref}`;
  }
}
