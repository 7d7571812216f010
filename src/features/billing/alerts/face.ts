import type { Button } from '../../../platform/slack/message.ts';
import type { Phrase } from '../../../platform/slack/phrase.ts';
import type { Episode } from './alarm.ts';
import type { Level } from './level.ts';
import type { Seen } from './seen.ts';

/** What alerts are about, in half a sentence. */
export const LOW_BALANCE = 'the low balance';
export const BUDGET = 'the budget';

/** What alerts of a balance and of a budget say each in its own words. All of it is pure. */
export interface Face {
  /** What they are about, in half a sentence: one of those above. */
  readonly about: string;
  /** What is the matter, then its figures and what follows. The first line is a whole sentence: notifications show only that. */
  readonly matterLines: (level: Level, seen: Seen | undefined) => readonly Phrase[];
  /** The figures alone. */
  readonly figureLines: (seen: Seen | undefined) => readonly Phrase[];
  readonly asOf: (seen: Seen | undefined) => { readonly note?: Phrase };
  /** What ends it, which stands first. */
  readonly cures: readonly Button[];
  /** What else a person can do about it. */
  readonly remedies: (episode: Episode, seen: Seen | undefined) => readonly Button[];
  /** What else can be looked at. */
  readonly details: readonly Button[];
  /** That an alert is over, and why. */
  readonly overWords: (closed: NonNullable<Episode['closed']>) => Phrase;
  readonly recoveredWords: (episode: Episode, seen: Seen | undefined) => Phrase;
  /** What is said of an outage because the credit ran out while its alert goes on. */
  readonly outageWords: (kind: 'topped-up' | 'running-again', seen: Seen | undefined) => Phrase;
  /** That the money can't be read. `seen`: what was read last. */
  readonly unknownLines: (episode: Episode, seen: Seen | undefined) => readonly Phrase[];
  readonly seenAgainWords: Phrase;
}
