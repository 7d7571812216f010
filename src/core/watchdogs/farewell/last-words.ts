import type { Phrase } from '../../../platform/slack/phrase.ts';
import type { Outbox } from '../../outbox/outbox.ts';

/** What nobody would see any more of one account if every process fell silent now. */
export interface LastWords {
  /** Undefined where there is only one. */
  readonly account: string | undefined;
  /** Where its alerts go; undefined where that is no channel, or nowhere. */
  readonly channelId: string | undefined;
  /** Whether its money has been looked at in time, so that the bot does what it is there for. */
  readonly isWatched: boolean;
  /** What is watched, in half a sentence: "the balance". */
  readonly what: string;
  /** What was read last. */
  readonly figures: readonly Phrase[];
  /** What has not ended: an alert, an operation. */
  readonly open: readonly Phrase[];
}

/** An account that the bot runs, as far as it has to say something before it falls silent, and after. */
export interface Speaker {
  /** Undefined where nobody looks at its money from time to time. Throws what its stores throw. */
  readonly lastWords: () => Promise<LastWords | undefined>;
  readonly outbox: Pick<Outbox, 'post'>;
}
