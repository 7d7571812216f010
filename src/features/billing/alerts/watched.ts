import type { Topic } from '../../../core/intake/route.ts';
import type { HostingService } from '../../../platform/hosting/service.ts';
import type { Phrase } from '../../../platform/slack/phrase.ts';
import type { Alarm, Settings } from './alarm.ts';
import type { Face } from './face.ts';
import type { MoneyRead } from './seen.ts';
import type { Measure } from './measure.ts';

/**
 * What alerts are about, as one declaration: a balance that runs out, or a month's budget. How they are judged over time,
 * sent, answered and kept is the same for both.
 */
export interface Watched {
  /** Reads it. Throws HostingError, or a Refusal where no amount can be read. */
  readonly look: (hosting: HostingService, now: () => number) => Promise<MoneyRead>;
  /** What a reading is judged by; undefined where nothing is set to judge it by, and so nothing is read. */
  readonly measureOf: (settings: Settings) => Measure | undefined;
  readonly face: Face;
  readonly command: AlertCommand;
}

/** What of `/billing alerts` is not the same for all alerts. */
export interface AlertCommand {
  readonly usage: string;
  readonly summary: string;
  readonly topics: readonly Topic[];
  /** An example of a setting, as in "billing alerts set warn 5d critical 2d". */
  readonly example: string;
  /** What is set, by the words that it begins with. */
  readonly verbs: ReadonlyMap<string, SetVerb>;
  /** How a button reads that sets these, in plain text. Throws a Refusal for what can't be read. */
  readonly setLabel?: (verb: string, words: readonly string[]) => string | undefined;
  /** What alerts are about, in one word, as in "a test of balance alerts". */
  readonly kind: string;
  /** What nobody hears of while alerts are off, in half a sentence: "a low balance". */
  readonly missed: string;
  /** What is looked at, in half a sentence: "the balance". */
  readonly read: string;
  /** What nobody checks while alerts go nowhere, in half a sentence: "how low the balance is". */
  readonly unchecked: string;
  /** By what it is judged. */
  readonly setWords: (settings: Settings) => Phrase;
  /** How things stand; undefined where nothing is watched. */
  readonly stateWords: (alarm: Alarm) => Phrase | undefined;
}

/** Reads words and gives what they make of the settings. Throws a Refusal, and so may the change itself. */
export type SetVerb = (
  words: readonly string[],
  by: { readonly isAdmin: boolean },
) => { readonly change: (settings: Settings) => Settings; readonly said: string };

/** The words after `/billing alerts` that all alerts have. */
export const SHARED_USAGE = 'here | on | off | test | ack | snooze 4h | unsnooze';

/** What a balance has beside them. */
export const THRESHOLD_TOPIC: Topic = {
  words: ['set', 'thresholds', 'warn', 'critical'],
  usage: 'set warn 5d critical 2d',
  summary: 'when to warn, and when it is critical: as days left, or as a balance like 500',
};

/** The same words, for help. `watched`: what is watched while they are on. */
export const alertTopics = (watched: string): readonly Topic[] => [
  {
    words: ['here'],
    usage: 'here',
    summary: 'alerts go to this channel, where everyone then sees the figures',
  },
  { words: ['on', 'off'], usage: 'on', summary: `watch ${watched}; off stops all warnings` },
  { words: ['test'], usage: 'test', summary: 'send one message to where alerts go' },
  { words: ['ack'], usage: 'ack', summary: 'say that you are on an open alert' },
  {
    words: ['snooze'],
    usage: 'snooze 4h',
    summary: 'snooze an open alert for 30m, 4h or 2d; if it gets worse, I still say so',
  },
  { words: ['unsnooze'], usage: 'unsnooze', summary: 'end a snooze before its time' },
];
