import { followedBy, inWords, mendOptions, mendTimes } from '../../core/ask/mend-words.ts';
import { parseArgs } from 'node:util';
import { parsePeriod } from '../../core/ask/period.ts';
import type { Moment } from '../../core/sentences/times.ts';
import { Refusal } from '../../core/refusal.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { countDuration, DAY_MS, parseDuration } from '../../platform/time/duration.ts';
import { takePeriods } from './said-period.ts';

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

/**
 * `@ana web-1 failed --last 7d --csv`, in any order, or `--in 2026-10`, or `yesterday` by the clock of who asks. Throws a
 * Refusal.
 */
export function parseAuditWords(words: readonly string[], moment: Moment): AuditWords {
  const { values, positionals } = read(words);
  const lastMs = values.last === undefined ? undefined : parseDuration(values.last, ['h', 'd', 'w']);
  if (values.last !== undefined && (lastMs === undefined || lastMs <= 0))
    throw new Refusal(
      'bad-option',
      say`I don't understand the time "${values.last}". Try --last 12h, --last 7d or --last 4w.`,
      mendTimes,
    );
  const period = values.in === undefined ? undefined : parsePeriod(values.in);
  const { periods, rest } = takePeriods(positionals, moment);
  const times = [...periods, lastMs, period].filter((one) => one !== undefined);
  if (times.length > 1)
    throw new Refusal('bad-option', say`Give me one time: today, yesterday, --last 7d or --in 2026-10.`);
  const said = period ?? periods[0];
  const fromMs = lastMs ?? DEFAULT_MS;
  return {
    userIds: rest.filter(isPerson),
    results: rest.map((word) => word.toLowerCase()).filter((word) => RESULTS.includes(word)),
    things: rest.filter((word) => !isPerson(word) && !RESULTS.includes(word.toLowerCase())),
    since: said?.since ?? moment.at - fromMs,
    until: said?.until ?? moment.at,
    when: said?.when ?? say`in the last ${spanOf(fromMs)}`,
    isCsv: values.csv ?? false,
  };
}

/** The options among the words, as typed, and the other words but for people. Throws a Refusal. */
export function optionsIn(words: readonly string[]): {
  readonly last?: string | undefined;
  readonly days?: string | undefined;
  readonly rest: readonly string[];
} {
  const { values, positionals } = read(words);
  return { last: values.last, days: values.in, rest: positionals.filter((word) => !isPerson(word)) };
}

function isPerson(word: string): boolean {
  return /^[UW][A-Z0-9_]{2,63}$/.test(word);
}

/** "24 hours", "7 days". */
function spanOf(ms: number): string {
  const { count, unit } = countDuration(ms, ms > 2 * DAY_MS || ms % DAY_MS !== 0 ? ['d', 'h'] : ['h']);
  const word = unit === 'd' ? 'day' : 'hour';
  return count === 1 ? word : `${count} ${word}s`;
}

function read(words: readonly string[]): {
  values: { last?: string; in?: string; csv?: boolean | undefined };
  positionals: string[];
} {
  // A reference may begin with a hyphen, and no option is written with only one.
  const refs = words.filter((word) => /^-[A-Za-z0-9_][A-Za-z0-9_-]{4,20}$/.test(word));
  try {
    const { values, positionals } = parseArgs({
      args: words.filter((word) => !refs.includes(word)),
      allowPositionals: true,
      options: { last: { type: 'string' }, in: { type: 'string' }, csv: { type: 'boolean' } },
    });
    return { values, positionals: [...positionals, ...refs] };
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
      say`I can't read that. The options are --last 7d, --in 2026-10 and --csv, as in /lamplighter audit @ana web-1 failed --last 30d.`,
      mendOptions(['last', 'in', 'csv']),
    );
  }
}
