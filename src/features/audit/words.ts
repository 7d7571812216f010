import { inWords, mendTimes } from '../../core/ask/mend-words.ts';
import { type Option, type OptionWords, readOptions } from '../../core/ask/words.ts';
import { parsePeriod } from '../../core/ask/period.ts';
import type { Entry } from '../../core/audit/entry.ts';
import { isMeant } from '../../core/policy/pattern.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Moment } from '../../core/sentences/times.ts';
import { group, type Phrase, say, time } from '../../platform/slack/phrase.ts';
import type { UserGroups } from '../../platform/slack/people.ts';
import { parseDuration } from '../../platform/time/duration.ts';
import { type SaidPeriod, spanOf, takePeriods } from './said-period.ts';
import type { Bot } from '../../core/bot/bot.ts';
import type { Places } from '../../core/policy/places.ts';

/** When it is asked, by whose clock, and for how long entries are kept, in ms. */
export interface AuditMoment extends Moment {
  readonly keepMs: number;
}

/** What may stand among the words besides a time. */
export interface Options {
  readonly flags: readonly string[];
  /** "--last 7d and --csv, as in …". */
  readonly example: Phrase;
  /** How far back it reaches where no time is said, in ms. `rest`: the other words. */
  readonly lastMs: (rest: readonly string[]) => number;
}

/** What of the audit is asked for: a time in Unix ms and in words, "in the last 7 days", flags and the other words. */
export interface AuditWords extends SaidPeriod {
  readonly flags: ReadonlySet<string>;
  readonly rest: readonly string[];
  /** The time stands in the words. */
  readonly isSaid: boolean;
}

/**
 * `@ana web-1 failed --last 7d --csv`, in any order, or `--in 2026-10`, or `yesterday` by the clock of who asks. Throws a
 * Refusal.
 */
export function parseAuditWords(words: readonly string[], moment: AuditMoment, options: Options): AuditWords {
  const { texts, flags, rest: others } = readAuditOptions(words, options);
  const exactly = betweenOf(texts.get('between'));
  const { periods, rest } = exactly ? { periods: [exactly], rest: others } : takePeriods(others, moment);
  const days = texts.get('in');
  const said = [
    ...periods,
    lastOf(texts.get('last'), moment),
    days === undefined ? undefined : parsePeriod(days),
  ];
  const [first, second] = said.filter((one) => one !== undefined);
  if (second)
    throw new Refusal('bad-option', say`Give me one time: today, yesterday, --last 7d or --in 2026-10.`);
  const { since, until, when } = asKept(first ?? backBy(options.lastMs(rest), moment), moment);
  return { since, until, when, flags, rest, isSaid: first !== undefined };
}

function lastOf(last: string | undefined, moment: Moment): SaidPeriod | undefined {
  if (last === undefined) return undefined;
  const lastMs = parseDuration(last, ['m', 'h', 'd', 'w']);
  if (lastMs === undefined || lastMs <= 0)
    throw new Refusal(
      'bad-option',
      say`I don't understand the time "${last}". Try --last 12h, --last 7d or --last 4w.`,
      mendTimes,
    );
  return backBy(lastMs, moment);
}

function backBy(ms: number, { at }: Moment): SaidPeriod {
  return { since: at - ms, until: at, when: say`in the last ${spanOf(ms)}` };
}

/** What a button asks with, for just the time that its message tells of. */
function betweenOf(text: string | undefined): SaidPeriod | undefined {
  const [, from, to] = /^(\d{1,14})-(\d{1,14})$/.exec(text ?? '') ?? [];
  if (from === undefined) return undefined;
  const [since, until] = [Number(from), Number(to)];
  return { since, until, when: say`between ${time(since)} and ${time(until)}` };
}

/** The words that ask for just these things and that time once more, whatever they look like. Pure. */
export function wordsOfSame(
  { since, until }: Pick<AuditWords, 'since' | 'until'>,
  things: readonly string[],
  ...more: readonly string[]
): readonly string[] {
  return ['--between', `${since}-${until}`, ...more, '--', ...things];
}

/** No more of what goes on until now than is kept of it. */
function asKept(period: SaidPeriod, { at, keepMs }: AuditMoment): SaidPeriod {
  const since = at - keepMs;
  if (period.until < at || period.since >= since) return period;
  return { since, until: at, when: say`in the last ${spanOf(keepMs)}, the longest that the audit is kept` };
}

/** How far back, and on which days. */
const TIMES: Readonly<Record<string, Option>> = {
  last: { asks: say`How far back?`, offers: ['24h', '7d', '30d', inWords('Time', '12h or 4w')] },
  in: { asks: say`Which days?`, offers: [inWords('Days', '2026-10')] },
  between: { offers: [] },
};

/** The options among the words, and all other words. Throws a Refusal. */
export function readAuditOptions(
  words: readonly string[],
  { flags, example }: Pick<Options, 'flags' | 'example'>,
): OptionWords {
  // A reference may begin with a hyphen, and no option is written with only one.
  const refs = words.filter((word) => /^-[A-Za-z0-9_][A-Za-z0-9_-]{4,20}$/.test(word));
  const known = { ...TIMES, ...Object.fromEntries(flags.map((name) => [name, 'flag' as const])) };
  const read = readOptions(
    words.filter((word) => !refs.includes(word)),
    known,
    example,
  );
  return { ...read, rest: [...read.rest, ...refs] };
}

/** Whether a word is the id of a person: longer than the reference that a card shows, and no name in capitals. */
export function isPerson(word: string): boolean {
  return /^[UW](?=.*\d)[A-Z0-9_]{8,63}$/.test(word);
}

const GROUP = /^S(?=[A-Z]*\d)[A-Z0-9]{8,20}$/;

/** The words with each user group as those who are in it now. Throws a Refusal where Slack can't say, or nobody is. */
export async function withMembers(
  { userGroups }: { readonly userGroups: Pick<UserGroups, 'members'> },
  words: readonly string[],
): Promise<readonly string[]> {
  const each = await Promise.all(
    words.map(async (word) => {
      if (!GROUP.test(word)) return [word];
      const members = await userGroups.members(word).catch(() => undefined);
      if (!members)
        throw new Refusal(
          'not-checked',
          say`I couldn't ask Slack who is in ${[group(word)]}. Try again in a minute.`,
        );
      if (members.size === 0) throw new Refusal('bad-argument', say`Nobody is in ${[group(word)]}.`);
      return [...members];
    }),
  );
  return each.flat();
}

export interface NounOf {
  /** The noun under which a route stands. */
  readonly nounOf: (routeId: string) => string | undefined;
}

/** People see the first eight letters of a reference. */
const SHORTEST_REFERENCE = 6;
/** "name:prod-*" */
const BY_NAME = /^name:(.+)$/i;

/** Whether a word means what an entry is about: its instance, by a pattern of names as well, its command, its agent or its reference. Pure. */
export function isAbout({ nounOf }: NounOf, entry: Entry, word: string): boolean {
  const { target, route, agent } = entry;
  const lower = word.toLowerCase();
  const [, names = word] = BY_NAME.exec(word) ?? [];
  return (
    (target !== undefined && isMeant(names.split(','), target)) ||
    target?.name.toLowerCase() === lower ||
    route.split('.').includes(lower) ||
    nounOf(route) === lower ||
    agent?.toLowerCase() === lower ||
    isOfReference(entry, word)
  );
}

/** Whether a word is the reference of an entry, or of what that is a part of, or begins one. Pure. */
export function isOfReference({ requestId, of }: Pick<Entry, 'requestId' | 'of'>, word: string): boolean {
  if (word.length < SHORTEST_REFERENCE) return false;
  return requestId.startsWith(word) || (of?.startsWith(word) ?? false);
}

/** The bot as what tells of the audit has it. */
export interface Audited extends Bot, NounOf {
  /** How long entries are kept, in ms. */
  readonly keepMs: number;
  /** Where instances may be spoken of whoever is there. */
  readonly places: Pick<Places, 'allow'>;
}
