import { followedBy, inWords, mendOptions, mendTimes } from '../../core/ask/mend-words.ts';
import { parseArgs } from 'node:util';
import { parsePeriod } from '../../core/ask/period.ts';
import type { Moment } from '../../core/sentences/times.ts';
import { Refusal } from '../../core/refusal.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { DAY_MS, parseDuration } from '../../platform/time/duration.ts';
import { spanOf, takePeriods } from './said-period.ts';

/** What of the audit is asked for. */
export interface AuditWords {
  readonly userIds: readonly string[];
  /** Ends of attempts: `failed`, `refused`. */
  readonly results: readonly string[];
  /** The other words: instances, commands and references. */
  readonly things: readonly string[];
  /** When the time begins and ends that is asked for, in Unix ms. */
  readonly since: number;
  readonly until: number;
  /** The same in words: "in the last 7 days". */
  readonly when: Phrase;
  readonly isCsv: boolean;
}

/** How an attempt can have gone, as people ask for it. */
const RESULTS: readonly string[] = ['done', 'failed', 'refused', 'expired', 'unknown', 'canceled'];
const DEFAULT_MS = 7 * DAY_MS;

/** The options of the audit, and how they are explained. */
const OPTIONS: Options = {
  flags: ['csv'],
  example: say`--last 7d, --in 2026-10 and --csv, as in /lamplighter audit @ana web-1 failed --last 30d`,
};

/** When it is asked, by whose clock, and for how long entries are kept, in ms. */
export interface AuditMoment extends Moment {
  readonly keepMs: number;
}

/**
 * `@ana web-1 failed --last 7d --csv`, in any order, or `--in 2026-10`, or `yesterday` by the clock of who asks. Throws a
 * Refusal.
 */
export function parseAuditWords(words: readonly string[], moment: AuditMoment): AuditWords {
  const { texts, flags, positionals } = readOptions(words, OPTIONS);
  const { rest, ...time } = timeOf(texts, positionals, moment, DEFAULT_MS);
  return {
    userIds: rest.filter(isPerson),
    results: rest.map((word) => word.toLowerCase()).filter((word) => RESULTS.includes(word)),
    things: rest.filter((word) => !isPerson(word) && !RESULTS.includes(word.toLowerCase())),
    ...time,
    isCsv: flags.has('csv'),
  };
}

/**
 * The one time that words and options say, by the clock of who asks; the last `defaultMs` where they say none. `rest`: the other
 * words. Throws a Refusal.
 */
export function timeOf(
  texts: ReadonlyMap<string, string>,
  positionals: readonly string[],
  moment: AuditMoment,
  defaultMs: number,
): Pick<AuditWords, 'since' | 'until' | 'when'> & { readonly rest: readonly string[] } {
  const [last, days] = [texts.get('last'), texts.get('in')];
  const lastMs = last === undefined ? undefined : parseDuration(last, ['m', 'h', 'd', 'w']);
  if (last !== undefined && (lastMs === undefined || lastMs <= 0))
    throw new Refusal(
      'bad-option',
      say`I don't understand the time "${last}". Try --last 12h, --last 7d or --last 4w.`,
      mendTimes,
    );
  const period = days === undefined ? undefined : parsePeriod(days);
  const { periods, rest } = takePeriods(positionals, moment);
  const times = [...periods, lastMs, period].filter((one) => one !== undefined);
  if (times.length > 1)
    throw new Refusal('bad-option', say`Give me one time: today, yesterday, --last 7d or --in 2026-10.`);
  const said = period ?? periods[0];
  const fromMs = lastMs ?? defaultMs;
  const time = {
    since: said?.since ?? moment.at - fromMs,
    until: said?.until ?? moment.at,
    when: said?.when ?? say`in the last ${spanOf(fromMs)}`,
  };
  return { ...asKept(time, moment), rest };
}

/** No more of what goes on until now than is kept of it. */
function asKept(
  time: Pick<AuditWords, 'since' | 'until' | 'when'>,
  { at, keepMs }: AuditMoment,
): Pick<AuditWords, 'since' | 'until' | 'when'> {
  const since = at - keepMs;
  if (time.until < at || time.since >= since) return time;
  return { since, until: at, when: say`in the last ${spanOf(keepMs)}, the longest that the audit is kept` };
}

/** The options among the words, as typed, and the other words but for people. Throws a Refusal. */
export function optionsIn(words: readonly string[]): {
  readonly last?: string | undefined;
  readonly days?: string | undefined;
  readonly rest: readonly string[];
} {
  const { texts, positionals } = readOptions(words, OPTIONS);
  return {
    last: texts.get('last'),
    days: texts.get('in'),
    rest: positionals.filter((word) => !isPerson(word)),
  };
}

/** Whether a word is the id of a person: longer than the reference that a card shows, and no name in capitals. */
export function isPerson(word: string): boolean {
  return /^[UW](?=.*\d)[A-Z0-9_]{8,63}$/.test(word);
}

/** What may stand among the words besides `--last` and `--in`. */
export interface Options {
  readonly flags: readonly string[];
  /** The other options that a text follows. */
  readonly texts?: readonly string[];
  /** "--last 7d and --csv, as in …". */
  readonly example: Phrase;
}

/** The options among the words, and all other words. Throws a Refusal. */
export function readOptions(
  words: readonly string[],
  { flags, texts = [], example }: Options,
): {
  readonly texts: ReadonlyMap<string, string>;
  readonly flags: ReadonlySet<string>;
  readonly positionals: readonly string[];
} {
  // A reference may begin with a hyphen, and no option is written with only one.
  const refs = words.filter((word) => /^-[A-Za-z0-9_][A-Za-z0-9_-]{4,20}$/.test(word));
  const named = ['last', 'in', ...texts];
  try {
    const { values, positionals } = parseArgs({
      args: words.filter((word) => !refs.includes(word)),
      allowPositionals: true,
      options: Object.fromEntries([
        ...named.map((name) => [name, { type: 'string' }] as const),
        ...flags.map((name) => [name, { type: 'boolean' }] as const),
      ]),
    });
    const given = Object.entries(values);
    return {
      texts: new Map(given.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))),
      flags: new Set(given.flatMap(([name, value]) => (value === true ? [name] : []))),
      positionals: [...positionals, ...refs],
    };
  } catch {
    if (words.at(-1) === '--last')
      throw new Refusal(
        'bad-option',
        say`How far back?`,
        followedBy('24h', '7d', '30d', inWords('Time', '12h or 4w')),
      );
    if (words.at(-1) === '--in')
      throw new Refusal('bad-option', say`Which days?`, followedBy(inWords('Days', '2026-10')));
    throw new Refusal(
      'bad-option',
      say`I can't read that. The options are ${example}.`,
      mendOptions(['last', 'in', ...flags]),
    );
  }
}
