/** How people ask for a route in a sentence: its own words, which stand with it. */
export interface Spoken {
  /**
   * The verb and other words for it, in its base form: "restart", "reboot", "turn <x> off". People say them in many ways
   * ("web-1 needs a reboot"), which are the same for all.
   */
  readonly verbs?: readonly string[];
  /** Whole sentences that ask for a change. It becomes a button that says what is done. */
  readonly orders?: readonly Saying[];
  /** Parts of sentences that ask for what the route only shows. It is answered at once. */
  readonly asks?: readonly Saying[];
  /** What help shows first of it: something to type, and what comes of that. */
  readonly example?: readonly [line: string, what: string];
  /** It is offered where a line means nothing: what most people want first. */
  readonly isFirst?: true;
  /** The route whose change this one turns around. */
  readonly undoes?: string;
  /** It may be for a while, as the words say that end it: "for 4h". */
  readonly isForAWhile?: true;
  /** Whole sentences that ask for it only where they say until when: "keep web-1 on". */
  readonly whiles?: readonly Saying[];
  /** It takes one instance at a time. */
  readonly isForOne?: true;
}

/**
 * A pattern, and the words with which the route is asked then: `{x}` what it is about, `{xs}` the same of several, `{as}` the
 * same as filters, and `{who}`, `{span}`, `{time}` (the same with its option, or as days of the calendar), `{month}` (where that is one, and nothing else), `{past}` and `{said}` (as
 * `takePeriods` reads it, and the first with an option where it can't), `{when}`, `{end}` (until when), `{addon}`, `{size}`, `{role}`; `[--last {span}]` only where there is one.
 * Without words, those of `{x}` where the pattern has one, and else none.
 */
export type Saying = string | readonly [pattern: string, words: string];

/** A route as far as sentences go. */
export interface SpokenRoute {
  readonly id: string;
  readonly verb: string;
  readonly spoken?: Spoken | undefined;
}
