import type { Log } from '../log/log.ts';
import { HOUR_MS } from '../time/duration.ts';

/** Why requests were not taken, as far as whoever runs the bot can do something about it. */
const CAUSES = {
  signature: ({ isOne, isProven }: Told) =>
    `failed ${isOne ? 'its' : 'their'} signature: ${notSlacks(isOne)}, or ${isProven ? 'the signing secret was changed there' : 'SLACK_SIGNING_SECRET is wrong'}`,
  unsigned: ({ isOne }: Told) => `had no signature: ${notSlacks(isOne)}`,
  malformed: () => 'could not be read: something between Slack and the bot may change what Slack sends',
  compressed: ({ isOne }: Told) =>
    `came compressed: ${notSlacks(isOne)}, or something between Slack and the bot changes what Slack sends`,
  oversized: ({ isOne }: Told) => `had more than a megabyte: ${notSlacks(isOne)}`,
} as const;
interface Told {
  readonly isOne: boolean;
  readonly isProven: boolean;
}

function notSlacks(isOne: boolean): string {
  return isOne ? "it is not Slack's" : "they are not Slack's";
}

type Cause = keyof typeof CAUSES;

/**
 * What is refused of Slack's requests, for the log and the doctor. Anybody can send such a request, or send an old one of Slack's
 * again: nothing that the bot does, or says of its readiness, hangs on it.
 */
export interface RefusedRequests {
  /** One was refused; what nobody has to do anything about is not told. */
  refused(why: string): void;
  /** One was signed, but for another time: so far (ms) ahead of this machine's, or behind where that is negative. */
  offTime(byMs: number): void;
  /** One was signed, and for now. */
  signed(): void;
  /** Slack told that it holds events back. */
  heldBack(): void;
  /** What was refused in the last hour that whoever runs the bot may have to mend, each kind as what "requests …" did. */
  recent(): readonly string[];
}

const TOLD_EVERY_MS = 60_000;
/** For the log alone: what strangers knock with, day and night, and what is not refused. */
const NOT_RECALLED: ReadonlySet<string> = new Set(['unsigned', 'oversized', 'held back']);

export function createRefusedRequests(log: Pick<Log, 'warn'>): RefusedRequests {
  const counts = new Map<string, { count: number; words: (isOne: boolean) => string }>();
  let isProven = false;
  const lastOf = new Map<string, { readonly at: number; readonly words: (isOne: boolean) => string }>();

  const say = (count: number, words: (isOne: boolean) => string): void =>
    log.warn(
      { about: 'slack', count },
      `${count} ${count === 1 ? 'request' : 'requests'} ${words(count === 1)}`,
    );
  /** The first at once, and then once a minute how many have come since. */
  const tell = (family: string, words: (isOne: boolean) => string): void => {
    lastOf.set(family, { at: performance.now(), words });
    const known = counts.get(family);
    if (known) {
      known.count += 1;
      known.words = words;
      return;
    }
    const told = { count: 0, words };
    counts.set(family, told);
    say(1, words);
    const timer = setInterval(() => {
      const { count } = told;
      if (count === 0) {
        clearInterval(timer);
        counts.delete(family);
        return;
      }
      told.count = 0;
      say(count, told.words);
    }, TOLD_EVERY_MS);
    timer.unref();
  };

  return {
    refused: (why) => {
      if (!isCause(why)) return;
      tell(why, (isOne) => CAUSES[why]({ isOne, isProven }));
    },
    offTime: (byMs) => {
      const off = `by ${minutes(Math.abs(byMs))}: check the clock`;
      tell('time', () => `came signed by Slack, with a time that differs from this machine's ${off}`);
    },
    signed: () => {
      isProven = true;
    },
    heldBack: () =>
      tell(
        'held back',
        () => 'told that Slack holds events back: what people wrote to the bot meanwhile is lost',
      ),
    recent: () =>
      [...lastOf]
        .filter(([family, { at }]) => !NOT_RECALLED.has(family) && performance.now() - at < HOUR_MS)
        .map(([, { words }]) => words(false)),
  };
}

function isCause(why: string): why is Cause {
  return Object.hasOwn(CAUSES, why);
}

function minutes(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
