import { ANSWER_WITHIN_MS } from '../platform/redis/connection.ts';

/** Every wait and limit of the bot, in ms where nothing else is said. Passed in by the composition root; tests shorten them. */
export interface Timings {
  /** One call to the hosting API, whole. Longer than the ten seconds that a slow service takes. */
  readonly apiTimeoutMs: number;
  /** How old a reading of the hosting API may be that everybody who asks shares. */
  readonly sharedForMs: number;
  /** For so long after an operation has ended a list may still show what was before it: it is as old, and a little more. */
  readonly listMayLagMs: number;
  /** One call to Slack, whole. */
  readonly slackTimeoutMs: number;
  /** How long Redis is waited for by somebody who can't wait. */
  readonly redisAnswerMs: number;
  /** How long what a person waits for may take to be written down before they read that nothing was done. */
  readonly writeDownWithinMs: number;
  /** A read that its own process has not answered by then is answered by another: that process is taken for gone. */
  readonly readWithinMs: number;
  /** How long a question that asks for a confirmation can be answered. */
  readonly confirmWithinMs: number;
  /** How long what one person asked for waits for a second one to approve it. */
  readonly approveWithinMs: number;
  /** Those who could approve it and haven't answered for so long are asked once more. */
  readonly askAgainAfterMs: number;
  /** How long a deletion can be canceled before it is asked for; LAMPLIGHTER_CANCEL_WINDOW. */
  readonly cancelWindowMs: number;
  /** A request or operation that was not begun or sent by then is canceled and said so. */
  readonly acceptWithinMs: number;
  /** How long it may be queued for the hosting service's budget before that; it is not sent after that. */
  readonly maxQueueMs: number;
  /**
   * The call leaves at most this long after the moment that is written down for it, or not at all:
   * docs/decisions/0004-write-down-before-sending.md.
   */
  readonly sendWithinMs: number;
  /** For so long after an accepted call its instance may still show what was before it: no sign of a restart by then, and none comes. */
  readonly staleMs: number;
  /**
   * How long a call may still take effect whose outcome is unknown; its adapter says how long. Until then a state that hasn't
   * changed proves nothing, and the call is not repeated. An answer with an error is no exception: what a proxy gave up may still
   * be done.
   */
  readonly settleMs: number;
  /** Past this, and past 95 of 100 earlier ones, a card says that it takes longer than usual. */
  readonly slowAfterMs: number;
  /** Past this the bot stops polling and says what state it last read. */
  readonly patienceMs: number;
  /** The shortest pause between polls of the hosting API. How long each is comes from how long earlier operations of the kind took. */
  readonly pollEveryMs: number;
  /** A post without an answer is looked up in the history after this: longer than `slackTimeoutMs`. */
  readonly findPostAfterMs: number;
  /** How far posts in one channel are apart once a burst is used up: Slack takes about one a second. */
  readonly postEveryMs: number;
  /** The same for edits in the whole workspace, of which Slack takes 50 a minute … */
  readonly editEveryMs: number;
  /** … and for edits of one message. */
  readonly sameEditEveryMs: number;
  /** A card shows progress only so long after it was posted: most ends come before. */
  readonly progressAfterMs: number;
  /** So many open operations of one place have a card of their own, in numbers and not in ms; more share a board. */
  readonly ownCards: number;
  /** A board's lines are read at most so often; how often it is edited and replied to counts in these. */
  readonly boardEveryMs: number;
  /** Past this, an asker may have stopped looking at a card, and is mentioned at its end. */
  readonly mentionAfterMs: number;
  /** A card that has been on its way for so long doesn't hold its call back where the asker can be answered alone. */
  readonly noticeAfterMs: number;
  /** How often what got lost is put back, and how often it is looked whether what a workflow asks for has ended. */
  readonly sweepEveryMs: number;
  /** A job's lock: what nobody renewed for so long is another process' to take. */
  readonly jobLockMs: number;
  /** Longest pause before a job that threw is tried again. */
  readonly longestBackOffMs: number;
  /** How often the balance is read; BILLING_CHECK_EVERY. Infinity: only when somebody asks. */
  readonly billingCheckEveryMs: number;
  /** A balance that contradicts the last one is read again after this before it counts. Longer than `sharedForMs`. */
  readonly readAgainAfterMs: number;
  /** A balance that could not be read for this long is said so. */
  readonly unknownAfterMs: number;
  /** The pause after the ledger or the digest failed for the first time; each further one is four times as long, an hour at most. */
  readonly billingRetryMs: number;
  /** How old the figures of an alert's card may be. */
  readonly alertFreshMs: number;
  /** Nobody on a critical balance for this long: people are notified by name. */
  readonly escalateAfterMs: number;
  /** The person on an alert is asked after this whether they still are … */
  readonly stillOnItAfterMs: number;
  /** … and without an answer for this long nobody is. */
  readonly handBackAfterMs: number;
  /** How often the list is read for what is watched. */
  readonly watchEveryMs: number;
  /** An instance that was unhealthy for this long is reported by a watch. */
  readonly unhealthyAfterMs: number;
  /** What comes again within this after it ended goes on on the same message. */
  readonly watchCalmMs: number;
  /** How often each process looks whether Redis still remembers, and whether the process itself turns. */
  readonly watchdogEveryMs: number;
  /** How often the monitor at HEARTBEAT_URL is called. */
  readonly heartbeatEveryMs: number;
  /** How often the word is pushed forward that Slack has to say where the bot is silent. */
  readonly farewellEveryMs: number;
  /** How often it looks at its files for settings; what changed is read once it has stood still from one look to the next. */
  readonly settingsEveryMs: number;
  /** How long after its start a process asks whether what the configuration names is there; infinity for never. */
  readonly checkNamedAfterMs: number;
  /** How much one person may ask in a minute, in numbers and not in ms. */
  readonly asksPerMinute: number;
  /** Longest wait for running work at SIGTERM. */
  readonly drainMs: number;
}

export const TIMINGS: Timings = {
  apiTimeoutMs: 12_000,
  sharedForMs: 1_000,
  listMayLagMs: 2_000,
  slackTimeoutMs: 5_000,
  redisAnswerMs: ANSWER_WITHIN_MS,
  writeDownWithinMs: 1_000,
  readWithinMs: 40_000,
  confirmWithinMs: 300_000,
  approveWithinMs: 1_800_000,
  askAgainAfterMs: 600_000,
  cancelWindowMs: 120_000,
  acceptWithinMs: 60_000,
  maxQueueMs: 900_000,
  sendWithinMs: 400,
  staleMs: 5_000,
  settleMs: 15_000,
  slowAfterMs: 60_000,
  patienceMs: 300_000,
  pollEveryMs: 1_000,
  findPostAfterMs: 6_500,
  postEveryMs: 1_050,
  editEveryMs: 1_250,
  sameEditEveryMs: 2_000,
  progressAfterMs: 6_000,
  ownCards: 3,
  boardEveryMs: 250,
  mentionAfterMs: 60_000,
  noticeAfterMs: 2_000,
  sweepEveryMs: 3_000,
  jobLockMs: 6_000,
  longestBackOffMs: 15_000,
  billingCheckEveryMs: 300_000,
  readAgainAfterMs: 2_000,
  unknownAfterMs: 1_800_000,
  billingRetryMs: 60_000,
  alertFreshMs: 300_000,
  escalateAfterMs: 900_000,
  stillOnItAfterMs: 4 * 3_600_000,
  handBackAfterMs: 3_600_000,
  watchEveryMs: 20_000,
  unhealthyAfterMs: 60_000,
  watchCalmMs: 900_000,
  watchdogEveryMs: 5_000,
  heartbeatEveryMs: 60_000,
  farewellEveryMs: 300_000,
  settingsEveryMs: 2_000,
  // What people ask right after a start comes first.
  checkNamedAfterMs: 1_000,
  asksPerMinute: 40,
  drainMs: 20_000,
};
