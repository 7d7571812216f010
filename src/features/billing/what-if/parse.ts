import { followedBy, inWords } from '../../../core/ask/mend-words.ts';
import { isFilter } from '../../../core/instances/filter.ts';
import { type Amount, compare, parseAmount, ZERO } from '../../../core/money/amount.ts';
import { readNumber } from '../../../core/money/typed.ts';
import { Refusal } from '../../../core/refusal.ts';
import { plain, say } from '../../../platform/slack/phrase.ts';
import { isJoint, segmentsOf } from './segments.ts';

/** Something that would be done with instances. `names`: names and ids, or filters, as /instances takes them. */
export interface OfInstances {
  readonly does: 'stop' | 'start' | 'delete';
  readonly names: readonly string[];
}

/** An add-on more or less. `type`: of one to remove, also its id. */
export interface OfAddon {
  readonly does: 'add' | 'remove';
  readonly type: string;
  readonly tier?: string;
  readonly names: readonly string[];
}

interface TopUp {
  readonly does: 'top up';
  readonly amount: Amount;
}

/** One thing that somebody supposes is done. */
export type Supposed = OfInstances | OfAddon | TopUp;

const MAX_CHANGES = 10;
const EXAMPLE = '/billing what-if stop staging-*, add backup to db-1, top up 500';
/** All instances, as a filter, and as people say it. */
const EVERY = 'name:*';
const ALL = /^(?:all|everything)$/i;
const BEFORE_NAMES = /^(?:all|the)$/i;

const VERBS: ReadonlyMap<string, Supposed['does']> = new Map([
  ['stop', 'stop'],
  ['stopping', 'stop'],
  ['shut down', 'stop'],
  ['turn off', 'stop'],
  ['switch off', 'stop'],
  ['start', 'start'],
  ['starting', 'start'],
  ['turn on', 'start'],
  ['switch on', 'start'],
  ['delete', 'delete'],
  ['deleting', 'delete'],
  ['add', 'add'],
  ['adding', 'add'],
  ['remove', 'remove'],
  ['removing', 'remove'],
  ['top-up', 'top up'],
  ['topup', 'top up'],
  ['top up', 'top up'],
]);
/** What people say before the verb. */
const FILLERS: ReadonlySet<string> = new Set(
  'if we i you they someone somebody just please also would could to'.split(' '),
);
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'another', 'the', 'one']);
const PREPOSITIONS = {
  add: new Set(['to', 'on', 'for']),
  remove: new Set(['from', 'of', 'on']),
} as const satisfies Record<OfAddon['does'], ReadonlySet<string>>;
const BESIDE_AMOUNT: ReadonlySet<string> = new Set(['by', 'with', 'of', 'another', 'credit', 'credits']);

/**
 * What is supposed, from words as they were typed, with their commas. `unit`: how credits are called. Throws a Refusal that
 * names the word which can't be read. Pure.
 */
export function parseSupposed(words: readonly string[], unit: string): readonly Supposed[] {
  const option = words.find((word) => word.startsWith('--'));
  if (option !== undefined)
    throw new Refusal(
      'bad-option',
      say`I take no options here, so I can't read "${short(option)}". ${example()}`,
    );
  const all: Supposed[] = [];
  const segments = segmentsOf(words).flatMap(atVerbs);
  for (const [at, segment] of segments.entries()) {
    const next = inPart(at === segments.length - 1, () => readOne(segment, all.at(-1), unit));
    if (next.joins) all[all.length - 1] = next.supposed;
    else all.push(next.supposed);
  }
  if (all.length === 0)
    throw new Refusal(
      'missing-argument',
      say`What would you change? ${example()}`,
      followedBy(inWords('Changes', 'stop staging-*, top up 500')),
    );
  if (all.length > MAX_CHANGES)
    throw new Refusal(
      'bad-argument',
      say`I take at most ${MAX_CHANGES} changes at once. Ask for fewer of them.`,
    );
  return all;
}

/** What is missing can be filled in at the end alone. */
function inPart(isLast: boolean, read: () => ReadQuestion): ReadQuestion {
  try {
    return read();
  } catch (error) {
    throw error instanceof Refusal && !isLast ? new Refusal(error.code, error.answer) : error;
  }
}

interface ReadQuestion {
  readonly supposed: Supposed;
  /** It is the one before, with more names. */
  readonly joins: boolean;
}

/** One part between commas. Without a verb it goes on with the one before: "stop web-1 and web-2". */
function readOne(segment: readonly string[], before: Supposed | undefined, unit: string): ReadQuestion {
  const { does, rest } = verbOf(segment);
  if (does !== undefined) return { supposed: supposedOf(does, rest, unit), joins: false };
  const [first = ''] = segment;
  if (!before || before.does === 'top up') throw unclear(first);
  if (before.does === 'add' || before.does === 'remove') {
    const isWhole = segment.some((word) => PREPOSITIONS[before.does].has(word.toLowerCase()));
    if (isWhole) return { supposed: supposedOf(before.does, segment, unit), joins: false };
  }
  const names = namesOf(segment, before.does);
  const areNames = [...before.names, ...names].every((name) => !isFilter(name));
  return areNames
    ? { supposed: { ...before, names: withoutThe([...before.names, ...names]) }, joins: true }
    : { supposed: { ...before, names }, joins: false };
}

/** Where somebody leaves a comma out, a verb begins the next part all the same. */
function atVerbs(segment: readonly string[]): readonly (readonly string[])[] {
  const words = withoutFillers(segment);
  const starts = words.flatMap((_, at) =>
    at === 0 || verbOf(words.slice(at)).does !== undefined ? [at] : [],
  );
  return starts.map((start, index) => words.slice(start, starts[index + 1]));
}

function withoutFillers(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => !FILLERS.has(word.toLowerCase()));
  return at < 0 ? words.slice(-1) : words.slice(at);
}

function verbOf([first = '', second = '', ...others]: readonly string[]): {
  readonly does?: Supposed['does'] | undefined;
  readonly rest: readonly string[];
} {
  const ofTwo = VERBS.get(`${first} ${second}`.toLowerCase());
  if (ofTwo !== undefined) return { does: ofTwo, rest: others };
  return { does: VERBS.get(first.toLowerCase()), rest: second === '' ? [] : [second, ...others] };
}

function supposedOf(does: Supposed['does'], rest: readonly string[], unit: string): Supposed {
  switch (does) {
    case 'top up':
      return { does, amount: amountOf(rest, unit) };
    case 'add':
    case 'remove':
      return addonOf(does, rest);
    default:
      return { does, names: namesOf(rest, does) };
  }
}

/** The names without "all" and "the", unless there is nothing else. */
function withoutThe(words: readonly string[]): readonly string[] {
  const names = words.filter((word) => !BEFORE_NAMES.test(word));
  return names.length > 0 ? names : words.slice(0, 1);
}

/** Throws a Refusal without any. A bare pattern is a filter by name. */
function namesOf(words: readonly string[], does: Supposed['does']): readonly string[] {
  const [first = '', ...others] = words;
  if (others.length === 0 && ALL.test(first)) return [EVERY];
  const names = withoutThe(words)
    // Ids with a comma between them look like a number.
    .flatMap((word) => (/^\d+(?:,\d+)+$/.test(word) ? word.split(',') : [word]))
    .map((word) => (isJoint(word) && word.includes('*') && !isFilter(word) ? `name:${word}` : word));
  if (names.length === 0)
    throw new Refusal(
      'no-name',
      say`Which instances would you ${does}? ${example()}`,
      followedBy(inWords('Names or filters', 'web-1 or staging-*')),
    );
  return names;
}

/** "backup to db-1", "llm premium to db-1", "backup db-1". */
function addonOf(does: OfAddon['does'], given: readonly string[]): OfAddon {
  const isBetween = (word: string | undefined): boolean =>
    word !== undefined && PREPOSITIONS[does].has(word.toLowerCase());
  const isArticle = ARTICLES.has(given[0]?.toLowerCase() ?? '') && !isBetween(given[1]);
  const words = isArticle ? given.slice(1) : given;
  const at = words.findIndex(isBetween);
  const [type, tier, tooMany] = at < 0 ? words.slice(0, 1) : words.slice(0, at);
  if (type === undefined)
    throw new Refusal(
      'no-type',
      say`Which add-on would you ${does}? ${example()}`,
      followedBy(inWords('Add-on and instance', 'backup to db-1')),
    );
  if (tooMany !== undefined) throw unclear(tooMany);
  const names = namesOf(words.slice(at + 1 || 1), does);
  return { does, type, ...(tier === undefined ? {} : { tier }), names };
}

/** "500", "500 credits", "1,500.50". */
function amountOf(words: readonly string[], unit: string): Amount {
  const own = unit.toLowerCase();
  const typed = words
    .filter((word) => !BESIDE_AMOUNT.has(word.toLowerCase()) && word.toLowerCase() !== own)
    .join(' ');
  if (typed === '')
    throw new Refusal(
      'missing-argument',
      say`How much would you top up? ${example()}`,
      followedBy(inWords('Amount', '500')),
    );
  const [value, another] = readNumber(typed);
  const amount = parseAmount(value);
  if (another !== undefined)
    throw new Refusal(
      'bad-argument',
      say`"${short(typed)}" can be read as two amounts, so I can't tell which one you mean. Write it without a separator, as in top up 1000.`,
    );
  if (!amount || compare(amount, ZERO) <= 0)
    throw new Refusal(
      'bad-argument',
      say`I can't read "${short(typed)}" as an amount of ${unit}. ${example()}`,
    );
  return amount;
}

function unclear(word: string): Refusal {
  return new Refusal(
    'bad-argument',
    say`I can't read "${short(word)}" there. I take stop, start, delete, add, remove and top up, with commas between them. ${example()}`,
  );
}

function example(): ReturnType<typeof say> {
  return say`For example, type ${EXAMPLE}.`;
}

function short(word: string): string {
  return plain(word, 60);
}
