import type { Ending } from './alarm.ts';
import type { Level } from './level.ts';
import type { MoneyRead, Seen } from './seen.ts';

/** What readings are judged by: a balance by its thresholds, a month by its budget. All of it is pure. */
export interface Measure {
  /** A reading after the one before it, when it was `was`, with what only both together say. */
  readonly following: (read: MoneyRead, last: Seen | undefined, was: Level) => Seen;
  /** How bad a reading is that came after `last`, when it was `was`; undefined where it is unknown. */
  readonly levelOf: (seen: Seen, was: Level, last: Seen | undefined) => Level | undefined;
  /** Set where a reading is no sequel of the one before, so that an open alert is over, whatever it says: how it ended. */
  readonly overBy: (read: MoneyRead, last: Seen | undefined) => Ending | undefined;
  /** Whether the one before was judged by other thresholds, so that another level is no sign of another balance. */
  readonly isOtherThreshold: (last: Seen | undefined) => boolean;
  /** Whether what is shown is out of date, although the level is the same. */
  readonly isNews: (seen: Seen, shown: Seen | undefined) => boolean;
  /** Whether there is more money while something is paused for want of it, and more than was `told` of. */
  readonly hasRisen: (seen: Seen, told: string | undefined) => boolean;
  /** The least that was there, by which a recovery is measured; undefined where nothing is. */
  readonly lowestOf: (seen: Seen, lowest: string | undefined) => string | undefined;
  /** The reading as messages need it, which are many. */
  readonly toShow: (seen: Seen) => Seen;
}
