import type { Ask } from '../ask/ask.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import type { About, Message } from '../../platform/slack/message.ts';
import type { Posted } from '../../platform/slack/messenger.ts';
import type { Phrase } from '../../platform/slack/phrase.ts';
import type { Recipient } from '../../platform/slack/responder.ts';
import { type Decide, createDecide } from './decide.ts';
import type { Route } from './route.ts';
import { sayAbout } from './say-no.ts';
import type { Answering } from './answering.ts';
import type { ReadSentence } from './sentence.ts';
import { atMost } from '../../platform/time/wait.ts';
import type { InFlight } from '../../platform/slack/in-flight.ts';

/** The request edge. */
export interface Answer {
  readonly decide: Decide;
  /** A no that was decided elsewhere, which says what it is about. Never throws. */
  refuse(ask: Ask, route: Route, no: Phrase): Promise<Message>;
  /**
   * Tells the person alone. `not yet`: Slack is in trouble, and another try may get through; `never`: it won't. Never
   * throws: a fault is logged.
   */
  tell(
    recipient: Recipient & Partial<Pick<Ask, 'askedAt'>>,
    reply: Message,
  ): Promise<'delivered' | 'not yet' | 'never'>;
  /** Whether a reply can be sent with the acknowledgement of its request, of at most so many bytes. */
  fitsAcknowledgement(reply: Message, maxBytes: number): boolean;
}

export function createAnswer(deps: Answering & { readonly readSentence: ReadSentence }): Answer {
  const { responder, threads, clock, log } = deps;
  /** `ts`: of its thread, or the person who alone was shown it. */
  const remember = async (
    { id, askedAt = clock.now() }: Pick<Ask, 'id'> & Partial<Pick<Ask, 'askedAt'>>,
    where: Posted,
    about: About,
  ): Promise<void> => {
    await threads
      .addAnswer(where, about, askedAt)
      .catch((error: unknown) => log.warn({ request: id, error }, 'remembering what an answer is about'));
  };
  const decide = createDecide(deps);
  return {
    decide: async (ask, ...more) => {
      const decided = await decide(ask, ...more);
      const { channelId, threadTs } = ask.place;
      if (decided.reply?.about && threadTs === undefined)
        await remember(ask, { channelId, ts: ask.actor.userId }, decided.reply.about);
      if (ask.inHome) drawHomeAgain(deps, ask);
      return decided;
    },
    fitsAcknowledgement: responder.fitsAcknowledgement,
    refuse: (ask, route, no) => sayAbout(deps, ask, route, { lines: [no] }, true, 'refuse'),
    tell: async (recipient, reply) => {
      try {
        const posted = await responder.tell(recipient, reply);
        if (recipient.askedAt !== undefined) deps.metrics.answered(clock.now() - recipient.askedAt);
        if (posted && reply.about && reply.about.instances.length > 0) {
          const { channelId, ts } = posted;
          await remember(recipient, { channelId, ts: recipient.place.threadTs ?? ts }, reply.about);
        }
        return 'delivered';
      } catch (error) {
        const { code, dead } = slackErrorOf(error);
        log.warn({ request: recipient.id, by: recipient.actor.userId, code }, 'answering the person');
        return dead ? 'never' : 'not yet';
      }
    },
  };
}

/** What was pressed in a Home has been done, or not: it shows how things are now. Nobody waits for that. */
function drawHomeAgain({ routes, inFlight }: Answering, ask: Ask): void {
  const home = routes.byService.get('home');
  if (home && home.id !== ask.route)
    void inFlight.run(() => home.handle({ ...ask, route: home.id, words: [] }, () => undefined));
}

/**
 * Tells that something was not taken, before it is acknowledged: it is written down nowhere, and a process that dies
 * after the acknowledgement could not say it any more. Gives whether it was delivered in time.
 */
export type TellFirst = (recipient: Recipient, said: Message) => Promise<boolean>;

export const TELL_FIRST_MS = 800;

export function createTellFirst({
  answer,
  inFlight,
}: {
  readonly answer: Answer;
  readonly inFlight: InFlight;
}): TellFirst {
  return async (recipient, said) => {
    const telling = inFlight.run(() => answer.tell(recipient, said));
    return (await atMost(TELL_FIRST_MS, telling)) === 'delivered';
  };
}

/** Not acknowledged, so that Slack shows it to the person, or delivers it again. */
export class NeitherTakenNorAnswered extends Error {
  constructor() {
    super('what was not taken could not be answered either');
    this.name = 'NeitherTakenNorAnswered';
  }
}
