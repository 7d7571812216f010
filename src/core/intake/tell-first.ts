import { atMost } from '../../platform/time/at-most.ts';
import type { InFlight } from '../../platform/slack/in-flight.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Recipient } from '../../platform/slack/responder.ts';
import type { Answer } from './answer.ts';

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
