import { type Amount, compare, subtract, sum, ZERO } from '../../../core/money/amount.ts';
import type { Costed } from '../../../core/instances/cost-filter.ts';
import type { PolicyTarget } from '../../../core/policy/pattern.ts';
import { type Row, rowsOf, sumsBy } from '../ledger/daily-costs.ts';
import { type NamedDay, seenIn } from '../ledger/day.ts';
import { type By, labelIn } from './month-words.ts';

/** What one instance, one type of transaction or one group has cost. */
export interface MonthLine {
  /** Undefined for a type or a group, and for all that belongs to no instance. */
  readonly id: string | undefined;
  /** Empty for an instance whose name nobody knows any more. */
  readonly name: string;
  readonly amount: Amount;
  /** In the days that it is compared with. */
  readonly before: Amount;
}

/** What some days come to, of what somebody may see. */
export interface MonthFigures {
  readonly used: Amount;
  readonly lines: readonly MonthLine[];
  /** What was added, by type; nothing for who may not see the balance. */
  readonly added: readonly { readonly type: string; readonly amount: Amount }[];
  readonly unreadable: number;
  readonly late: number;
  /** The days of which nothing is known, as runs of days that follow one another: first and last. */
  readonly gaps: readonly (readonly [string, string])[];
  /** When the newest of it was read, Unix ms; undefined where nothing was. */
  readonly asOf: number | undefined;
}

type GroupOf = (instance: Costed) => string | undefined;
type MaySee = (target: PolicyTarget | 'all') => boolean;

/** What somebody may see. */
export interface Rights {
  /** Of what is spent. */
  readonly maySee: MaySee;
  readonly mayKnowAdded: boolean;
}

/**
 * The figures of `days`, against those of the days `before`: only what the rights let through. `groupOf`: the group that an instance
 * counts in, by what is known of it last; it matters only by group and by label. Pure.
 */
export function figuresOf(
  days: readonly NamedDay[],
  before: readonly NamedDay[],
  by: By,
  { maySee, mayKnowAdded }: Rights,
  groupOf: GroupOf = () => undefined,
): MonthFigures {
  const { names, maySeeId } = sightOf([...before, ...days], maySee);
  const keyOf = keysBy(by, [...before, ...days], groupOf);
  const now = sumsOf(days, 'used', keyOf, maySeeId);
  const then = sumsOf(before, 'used', keyOf, maySeeId);
  const lines = [...new Set([...now.keys(), ...then.keys()])].map((key): MonthLine => ({
    id: by !== 'instance' || key === '' ? undefined : key,
    name: nameOf(by, key, names),
    amount: now.get(key) ?? ZERO,
    before: then.get(key) ?? ZERO,
  }));
  const read = days.flatMap(({ record: { booked } }) => booked ?? []);
  const added = mayKnowAdded ? [...sumsOf(days, 'added', ofType, () => true)] : [];
  return {
    used: sum([...now.values()]),
    lines: lines.toSorted(
      (one, other) =>
        compare(other.amount, one.amount) ||
        compare(other.before, one.before) ||
        one.name.localeCompare(other.name),
    ),
    added: added.map(([type, amount]) => ({ type: type.replaceAll('_', ' '), amount })),
    unreadable: read.reduce((count, { unreadable }) => count + unreadable, 0),
    late: read.reduce((count, { late = 0 }) => count + late, 0),
    gaps: gapsIn(days),
    asOf: read.length === 0 ? undefined : Math.max(...read.map(({ asOf }) => asOf)),
  };
}

/** The names of the instances of some days, and which of them somebody may see. Pure. */
export function sightOf(
  days: readonly NamedDay[],
  maySee: MaySee,
): { readonly names: ReadonlyMap<string, string>; readonly maySeeId: (id: string) => boolean } {
  const names = namesIn(days);
  const isAll = maySee('all');
  const seen = new Map<string, boolean>();
  const maySeeId = (id: string): boolean => {
    const known = seen.get(id) ?? (isAll || (id !== '' && maySee({ id, name: names.get(id) ?? '' })));
    seen.set(id, known);
    return known;
  };
  return { names, maySeeId };
}

/** By how much more it is than it was. */
export function differenceOf({ lines }: Pick<MonthFigures, 'lines'>): Amount {
  return subtract(sum(lines.map(({ amount }) => amount)), sum(lines.map(({ before }) => before)));
}

/** What an amount of a type and an instance is summed up under. */
type KeyOf = (row: Row) => string;
const ofType: KeyOf = ({ type }) => type;

/** Empty for no instance, and for no group. */
function keysBy(by: By, days: readonly NamedDay[], groupOf: GroupOf): KeyOf {
  if (by === 'type') return ofType;
  if (by === 'instance') return ({ id }) => id;
  const costed = costedIn(days);
  const groups = new Map<string, string>([['', '']]);
  return ({ id }) => {
    const group = groups.get(id) ?? groupOf(costed(id)) ?? '';
    groups.set(id, group);
    return group;
  };
}

function nameOf(by: By, key: string, names: ReadonlyMap<string, string>): string {
  if (by === 'type') return key.replaceAll('_', ' ');
  if (by === 'group') return key === '' ? 'no group' : key;
  if (by !== 'instance') return key === '' ? `no ${labelIn(by)}` : key;
  return key === '' ? 'no instance' : (names.get(key) ?? '');
}

function sumsOf(
  days: readonly NamedDay[],
  what: 'used' | 'added',
  keyOf: KeyOf,
  maySeeId: (id: string) => boolean,
): ReadonlyMap<string, Amount> {
  const rows = days.flatMap(({ record }) => rowsOf(record.booked?.[what]));
  return sumsBy(
    rows.filter(({ id }) => maySeeId(id)),
    keyOf,
  );
}

/** The newest name of each instance, so that one that is gone keeps its own. */
export function namesIn(days: readonly NamedDay[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { record } of days) {
    for (const [id, name] of Object.entries(record.booked?.names ?? {})) names.set(id, name);
    for (const { id, name } of seenIn(record.seen)) names.set(id, name);
  }
  return names;
}

/** What is known of each instance of some days, by the newest of them. Pure. */
export function costedIn(days: readonly NamedDay[]): (id: string) => Costed {
  const names = namesIn(days);
  const known = new Map<string, Partial<Omit<Costed, 'name'>>>();
  for (const { record } of days) {
    for (const { id, tier } of seenIn(record.seen)) known.set(id, { tier });
    for (const [id, one] of Object.entries(record.charges?.instances ?? {})) known.set(id, one);
  }
  return (id) => {
    const { tier, labels } = known.get(id) ?? {};
    return { name: names.get(id) ?? '', tier, labels };
  };
}

/** The days of which nothing is known, as runs of days that follow one another: first and last. Pure. */
export function gapsIn(days: readonly NamedDay[]): (readonly [string, string])[] {
  const gaps: [string, string][] = [];
  let isOpen = false;
  for (const { day, record } of days) {
    const last = gaps.at(-1);
    if (record.booked) isOpen = false;
    else if (isOpen && last) last[1] = day;
    else {
      gaps.push([day, day]);
      isOpen = true;
    }
  }
  return gaps;
}
