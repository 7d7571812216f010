import type { Log } from '../log/log.ts';

/** Why requests were not taken, as far as whoever runs the bot can do something about it. */
const CAUSES = {
  signature: ({ isOne, isProven }: Told) =>
    `failed ${isOne ? 'its' : 'their'} signature: ${isProven ? `${notSlacks(isOne)}, or the signing secret was changed there` : 'SLACK_SIGNING_SECRET is likely wrong'}`,
  unsigned: ({ isOne }: Told) => `had no signature: ${notSlacks(isOne)}`,
  malformed: () => 'could not be read: something between Slack and the bot may change what Slack sends',
  compressed: () => 'came compressed: something between Slack and the bot changes what Slack sends',
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

/** What is refused of Slack's requests: told to the log, and whether it is all of them. */
export interface RefusedRequests {
  /** One was refused; what nobody has to do anything about is not told. */
  refused(why: string): void;
  /** One was signed, but for another time: so far (ms) ahead of this machine's, or behind where that is negative. */
  offTime(byMs: number): void;
  /** One was signed, and for now. */
  signed(): void;
  /** Why none of them is taken, in words; undefined where some are, or nothing is known. */
  fault(): string | undefined;
}

const TOLD_EVERY_MS = 60_000;
/** So long after the last one that was refused it says nothing any more. */
const COUNTS_FOR_MS = 300_000;

export function createRefusedRequests(log: Pick<Log, 'warn'>): RefusedRequests {
  const counts = new Map<string, { count: number; words: (isOne: boolean) => string }>();
  let isProven = false;
  let last: { readonly at: number; readonly fault: string } | undefined;

  const say = (count: number, words: (isOne: boolean) => string): void =>
    log.warn(
      { about: 'slack', count },
      `${count} ${count === 1 ? 'request' : 'requests'} ${words(count === 1)}`,
    );
  /** The first at once, and then once a minute how many have come since. */
  const tell = (family: string, words: (isOne: boolean) => string): void => {
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
      // Anybody can send what is signed wrongly: once the secret has proved right, that says nothing of Slack's requests.
      if (why === 'signature' && !isProven) {
        last = {
          at: performance.now(),
          fault: 'all requests fail their signature: SLACK_SIGNING_SECRET is likely wrong',
        };
      }
      tell(why, (isOne) => CAUSES[why]({ isOne, isProven }));
    },
    offTime: (byMs) => {
      const off = `by ${minutes(Math.abs(byMs))}: check the clock`;
      last = {
        at: performance.now(),
        fault: `the time of Slack's requests differs from this machine's ${off}`,
      };
      tell('time', () => `came signed by Slack, with a time that differs from this machine's ${off}`);
    },
    signed: () => {
      isProven = true;
      last = undefined;
    },
    fault: () => (last && performance.now() - last.at < COUNTS_FOR_MS ? last.fault : undefined),
  };
}

function isCause(why: string): why is Cause {
  return Object.hasOwn(CAUSES, why);
}

function minutes(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
