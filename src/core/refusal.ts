import { HostingError } from '../platform/hosting/hosting-error.ts';
import type { Message } from '../platform/slack/message.ts';
import type { Phrase } from '../platform/slack/phrase.ts';

/**
 * What is missing among the words of a request, and how it is asked for: as one of all people or channels, as a text that is
 * one word however long it is, or in words as they are typed in a request.
 */
export interface Gap {
  readonly asks: 'person' | 'channel' | 'text' | 'words';
  /** Its name, and for words an example of them. */
  readonly label: string;
}

/**
 * What may have been meant by the words after a verb that were refused: each list in their place, as a button beside the refusal,
 * and one with a gap as what fills it. None where nobody can tell. Pure.
 */
export type Instead = (words: readonly string[]) => readonly (readonly (string | Gap)[])[];

/** What follows from a refusal, besides its words. */
type Trait =
  /** Of words that could be read in part: with something to pick, it is a question, and the audit has it as one. */
  | 'question'
  /** The line may mean something else altogether. */
  | 'slip'
  /** It says only that a word is no name and no verb. */
  | 'names nothing'
  /** It says which of its words it doesn't know, or offers what may be meant. */
  | 'says which'
  /** What was pressed counted until a moment. */
  | 'expired'
  /** It is about rights: the audit has it of a read, too. */
  | 'right'
  /** Something has ended or changed, which an earlier run of the same request may have done. */
  | 'over'
  /** It ends by itself. */
  | 'passing';

/** Every code of a refusal: what the audit says of it after "refused: ", and what follows from it. */
const REFUSALS = {
  'addons-unreadable': ['the add-ons could not be read'],
  already: ['it is so already'],
  'answered-already': ['it was answered already', 'over'],
  'approval-expired': ['nobody approved it in time'],
  'asked-already': ['it had been asked for already'],
  'asker-no-right': ['the person who asked has lost the right to it'],
  'bad-access': ['the words could not be read', 'question'],
  'bad-alerts': ['the words could not be read', 'question', 'slip'],
  'bad-argument': ['a value could not be read', 'question', 'slip'],
  'bad-budget': ['the budget could not be read', 'question'],
  'bad-end': ['the time could not be read', 'question'],
  'bad-favorite': ['the favorite could not be read', 'question', 'slip'],
  'bad-filter': ['the filter could not be read', 'question', 'slip', 'says which'],
  'bad-freeze': ['the words could not be read', 'question', 'slip', 'says which'],
  'bad-grant': ['the words could not be read', 'question', 'slip', 'says which'],
  'bad-last': ['the time could not be read', 'question', 'slip'],
  'bad-oncall': ['the words could not be read', 'question'],
  'bad-option': ['the options could not be read', 'question', 'slip'],
  'bad-order': ['the thresholds are in the wrong order', 'question'],
  'bad-schedule': ['the schedule could not be read', 'question', 'slip', 'says which'],
  'bad-set': ['the words could not be read', 'question', 'slip'],
  'bad-snooze': ['the time could not be read', 'question', 'slip'],
  'bad-thaw': ['the words could not be read', 'question', 'slip', 'says which'],
  'bad-threshold': ['a threshold could not be read', 'question'],
  'bad-type': ['there is no such type', 'question', 'slip'],
  'bad-usage': ['the words could not be read', 'question', 'slip'],
  'balance-not-offered': ['the service gives no balance'],
  'balance-unreadable': ['the balance could not be read'],
  broken: ['the instance reports an error'],
  busy: ['something else was running on it', 'passing'],
  'button-expired': ['the button was too old', 'expired'],
  'button-used': ['the button had been used'],
  changed: ['the instance had changed', 'over'],
  'confirmation-expired': ['it was confirmed too late', 'expired'],
  'confirmation-foreign': ['the question was for someone else'],
  contradiction: ['the name and the id are of different instances'],
  deleting: ['it is being deleted'],
  'export-busy': ['too many files were being made'],
  'export-under-way': ['the file was being made already'],
  foreign: ['only the person who asked can do that'],
  frozen: ['it was frozen'],
  gone: ['it no longer exists', 'over'],
  incomplete: ['the service gave an incomplete list'],
  'kept-in-file': ['roles are kept in the policy file'],
  'last-admin': ['nobody could have given a role after that'],
  'list-changed': ['the list had changed'],
  'list-out-of-date': ['the list of instances was out of date'],
  locked: ['the hosting service had it locked'],
  'missing-argument': ['a value was missing', 'question'],
  'mixed-units': ['the thresholds are in different units'],
  'name-not-certain': ['another instance could have that name'],
  'needs-owner': ['its owner has to set it up first'],
  'no-admin': ['nobody is an admin'],
  'no-alert': ['there was no alert'],
  'no-database': ['the database could not be reached'],
  'no-figures': ['there were no figures of that time'],
  'no-file': ['Slack did not take the file'],
  'no-groups': ['there were no groups of costs'],
  'no-incident': ['it was over'],
  'no-instance': ['no instance was named', 'question', 'slip'],
  'no-name': ['no instance was named', 'question', 'slip'],
  'no-right': ['they have no right to it', 'slip', 'right'],
  'no-such-addon': ['there is no such add-on', 'slip'],
  'no-such-favorite': ['there is no such favorite', 'slip'],
  'no-such-grant': ['that role was not given'],
  'no-such-instance': ['there is no such instance', 'slip', 'names nothing'],
  'no-such-name': ['there is no such instance', 'slip', 'names nothing'],
  'no-such-topic': ['there is no such help topic', 'slip'],
  'no-such-verb': ['there is no such verb', 'slip', 'names nothing'],
  'no-type': ['no add-on was named', 'question', 'slip'],
  'no-watch': ['there was no such watch', 'over'],
  nobody: ['there is no such person'],
  'nobody-on-it': ['nobody was on it'],
  'nobody-to-approve': ['nobody else could have read the request'],
  'none-possible': ['none of them could be changed'],
  'not-a-place': ['that is not possible in this kind of channel'],
  'not-allowable': ['it can not be allowed by a button'],
  'not-checked': ['the right could not be checked', 'right'],
  'not-frozen': ['nothing was frozen'],
  'not-in-channel': ['the bot could not post in that channel'],
  'not-offered': ['the service does not offer that'],
  'not-possible': ['it is not possible in its state'],
  nowhere: ['there is no channel for it'],
  'not-set': ['it was not set'],
  'on-the-way': ['it was between two states', 'passing'],
  'one-at-a-time': ['several instances were named'],
  'other-currency': ['it was in another currency than the bill'],
  over: ['it had been decided or had ended', 'over'],
  'own-approval': ['nobody approves their own request'],
  paused: ['it is paused'],
  protected: ['it is protected'],
  'protected-there': ['the hosting service protects it'],
  'refused-lately': ['an admin had refused it a short time ago'],
  'set-elsewhere': ['it is set in the configuration'],
  several: ['several could be meant'],
  'shared-channel': ['people from another company read that channel'],
  'too-late': ['it was too late', 'expired'],
  'too-long': ['it was too long'],
  'too-many': ['there were too many'],
  'too-many-instances': ['there were too many instances'],
  'too-many-watches': ['there were too many watches'],
  'too-many-words': ['there were too many words'],
  'transactions-not-offered': ['the service gives no list of transactions'],
  unclear: ['it was not clear which instance was meant'],
  'unknown-command': ['there is no such command'],
  'unknown-status': ['its state is unknown'],
  'unknown-verb': ['there is no such verb', 'slip', 'names nothing'],
  'unknown-word': ['a word was not understood', 'slip', 'names nothing'],
  'unmatched-quote': ['a quotation mark was not closed'],
  'usage-not-offered': ['the service gives no usage figures'],
  'used-up': ['what was allowed once had been used'],
  'watched-already': ['it was watched already'],
} as const satisfies Readonly<Record<string, readonly [string, ...Trait[]]>>;

export type RefusalCode = keyof typeof REFUSALS;
/** All of them. */
export const REFUSAL_CODES = Object.keys(REFUSALS) as readonly RefusalCode[]; // the keys are these and no others

/** What the audit says of a refusal after "refused: "; undefined of a code that isn't known, as of an older bot. Pure. */
export function refusalWords(code: string | undefined): string | undefined {
  const known = REFUSAL_CODES.find((one) => one === code);
  return known && REFUSALS[known][0];
}

/** Whether that follows from a refusal with this code. Pure. */
export function isRefusalOf(code: RefusalCode, trait: Trait): boolean {
  const [, ...traits]: readonly [string, ...Trait[]] = REFUSALS[code];
  return traits.includes(trait);
}

/** A no that the person can act on. Its words are shown as they are; it is never retried. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly answer: Message;
  /** What may have been meant in its place. */
  readonly instead: Instead;

  constructor(code: RefusalCode, answer: Phrase | Message, instead: Instead = () => []) {
    // Nobody reads its stack, and a stack takes as long as finding the word that was meant.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(code);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Refusal';
    this.code = code;
    this.instead = instead;
    this.answer = 'lines' in answer ? answer : { lines: [answer] };
  }
}

/** What is read, or `none` where a refusal or the hosting service keeps it from being had now: that is no reason to keep anybody from acting. */
export async function unlessAway<T>(reading: Promise<T>, none: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Refusal || error instanceof HostingError) return none;
    throw error;
  }
}
