import { type HostingFault, keyFaultWords } from '../platform/hosting/hosting-error.ts';
import { type Phrase, plain, say } from '../platform/slack/phrase.ts';

/** What the audit says of a fault of the hosting service. */
export const FAULT_WORDS: Readonly<Record<HostingFault, string>> = {
  unauthorized: `the service ${keyFaultWords('unauthorized')}`,
  'no-credit': 'there was not enough credit',
  forbidden: `the service ${keyFaultWords('forbidden')}`,
  'not-found': 'the service knows nothing of it',
  'wrong-state': 'the service refused it in its state',
  protected: 'it is protected',
  busy: 'something else was under way on it',
  'bad-input': 'the service refused it',
  'rate-limited': 'the service took no more requests',
  refused: 'the service refused it',
  'not-built': "the bot's adapter couldn't ask for it",
  unclear: 'the service answered neither yes nor no',
  unavailable: 'the service failed',
  unreachable: 'the service could not be reached',
  'no-answer': 'no answer told what came of it',
  unreadable: 'the answer could not be read',
};

/** Every code with which an operation ends, and what the audit says of it; nothing where the result says it all. */
export const OUTCOME_WORDS = {
  ...FAULT_WORDS,
  'action-failed': 'the service says that it failed',
  accepted: "the service doesn't show whether it was done",
  already: 'it was so already',
  'approver-no-right': 'the person who approved it had lost the right to it',
  'as-before': 'no answer told, and nothing shows a change',
  'bad-id': 'its id is none that can be asked for',
  'no-reading': 'the service gave no usable answer',
  'bot-refused': 'Slack refused the bot',
  broken: 'the instance reports an error',
  canceled: '',
  changed: 'a different instance had its id',
  'dead-lettered': 'the bot gave up after repeated errors',
  done: '',
  frozen: 'it was frozen',
  gone: 'there was no such instance any more',
  incomplete: 'the service gave an incomplete list',
  'queue-too-long': 'it waited too long for the hosting service',
  'needs-approval': 'it needed an approval by then',
  'no-right': 'the person who asked had lost the right to it',
  'not-begun': 'no answer told, and the service lists no such action',
  'not-checked': 'the right could not be checked',
  'not-shown': 'Slack took no message that shows it',
  paused: 'it is paused',
  'found-done': 'seen afterwards, no answer told',
  'no-end': 'no end was seen in time',
  'too-late': 'it was too late',
} as const satisfies Readonly<Record<string, string>>;
export type OutcomeCode = keyof typeof OUTCOME_WORDS;
/** All of them. */
export const OUTCOME_CODES = Object.keys(OUTCOME_WORDS) as readonly OutcomeCode[]; // the keys are these and no others

const MAX_SHOWN = 200;

/** What a service said itself, as a sentence to append; empty where it said nothing. */
export function serviceSaid(said: string | undefined): Phrase {
  if (said === undefined) return say``;
  const shown = plain(said, MAX_SHOWN);
  // A sentence of its own has its stop already.
  return /[.!?…]$/u.test(shown) ? say` The service said: "${shown}"` : say` The service said: "${shown}".`;
}
