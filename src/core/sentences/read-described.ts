import type { Instance } from '../../platform/hosting/service.ts';
import type { Atom } from './atoms.ts';
import { NUMBERS, PARTICLES, STATES, THINGS, UNITS } from './tables.ts';
import { countWhile, isOrdinary, type Known, NOTHING, type ReadTarget, textAt } from './target.ts';

/** "stopped web boxes on the budget tier", "everything that is older than a month", "the web server". */
export function readDescribed(
  known: Known,
  atoms: readonly Atom[],
  at: number,
  before: readonly string[],
  isSought: boolean,
): ReadTarget | undefined {
  const { names } = known;
  const isCounted = before.length > 0;
  const isOfEach = before.some((word) => !/^(?:any|either|something|only|of)$/.test(word));
  // "Something is down" asks what, where nothing is to be done with it.
  if (before.includes('something') && !isSought) return undefined;
  const isAnything = isOfAll(atoms, at, before);
  const filters: string[] = [];
  let next = at;
  let kin: readonly Instance[] = [];
  let things: string | undefined;
  for (; next < atoms.length; next++) {
    const word = textAt(atoms, next) ?? '';
    const isDescribed = isCounted || things !== undefined || describes(known, atoms, next + 1);
    const values = readValues(known, atoms, next);
    if (values && values.next > next + 1 && (isCounted || describes(known, atoms, values.next))) {
      filters.push(values.filter);
      next = values.next - 1;
      continue;
    }
    const tier = names.tier(word);
    const isLast = atoms[next + 1]?.isMark ?? true;
    const state =
      PARTICLES.has(word) && !(isLast && (isAnything || things !== undefined)) ? undefined : STATES[word];
    if (state !== undefined && isDescribed && textAt(atoms, next + 1) !== 'with') filters.push(state);
    else if (tier !== undefined && isDescribed) filters.push(`tier:${tier}`);
    else if (kin.length === 0 && !isOrdinary(known, word) && names.kin(word).length > 0) {
      kin = names.kin(word);
      if (word.endsWith('s')) things ??= word;
    } else if (THINGS.has(word)) things = word;
    else break;
  }
  if (kin.length === 0 && things === undefined && !isAnything) return undefined;
  const qualified = readQualifiers(known, atoms, next);
  filters.push(...qualified.filters);
  if (filters.length === 0 && kin.length > 0) {
    const isOne = kin.length > 1 && !isOfEach && !things?.endsWith('s');
    const called = kin.map((one) => [one]);
    return { target: { ...NOTHING, called, isChoice: isOne, isAll: !isOne }, next: qualified.next };
  }
  if (filters.length === 0 && (isAnything ? !isSought : !isCounted)) return undefined;
  // "Something" is one of all, and nobody said which.
  if (filters.length === 0 && before.includes('something'))
    return { target: { ...NOTHING, isVague: true }, next: qualified.next };
  if (kin.length > 0) filters.push(`name:${kinPattern(kin)}`);
  // "The running one", "any server on pro": which of them, nobody said.
  const isOfMany = isOfEach || isPlural(things) || (isAnything && !before.includes('something'));
  return {
    target: {
      ...NOTHING,
      filters: filters.length > 0 ? filters : [EVERY],
      isAll: isOfMany,
      isChoice: !isOfMany,
    },
    next: qualified.next,
  };
}

function isPlural(things: string | undefined): boolean {
  return things !== undefined && /s$|^(?:boxes|fleet|lot)$/.test(things);
}

const JOINS: ReadonlySet<string> = new Set([',', 'and', 'or']);

/** "Running or paused", "pro and the budget": words for values of one field, as the filter that any of them passes. */
function readValues(
  { names }: Pick<Known, 'names'>,
  atoms: readonly Atom[],
  at: number,
): { readonly filter: string; readonly next: number } | undefined {
  const filterAt = (place: number): string | undefined => {
    const word = textAt(atoms, place) ?? '';
    const tier = names.tier(word);
    return tier === undefined ? (PARTICLES.has(word) ? undefined : STATES[word]) : `tier:${tier}`;
  };
  let filter = filterAt(at);
  if (filter === undefined) return undefined;
  for (let next = at + 1; ;) {
    const joins = countWhile(atoms, next, ({ text }) => JOINS.has(text));
    const other = filterAt(next + joins);
    const either: string | undefined =
      joins > 0 && other !== undefined ? eitherOf([filter], [other])?.[0] : undefined;
    if (either === undefined) return { filter, next };
    filter = either;
    next += joins + 1;
  }
}

/** The filter that passes what either passes; undefined where they are of other fields, or of more than one. Pure. */
export function eitherOf(one: readonly string[], other: readonly string[]): readonly string[] | undefined {
  const [[field, values] = [], [of, more] = []] = [...one, ...other].map((filter) => filter.split(':'));
  if (one.length !== 1 || other.length !== 1 || field !== of || field?.startsWith('-')) return undefined;
  return [`${field}:${[...new Set(`${values},${more}`.split(','))].join(',')}`];
}

/** The filter that everything passes. */
export const EVERY = 'name:*';

/** "Everything", "all but db-1", "all that is stopped", "all in staging". */
function isOfAll(atoms: readonly Atom[], at: number, before: readonly string[]): boolean {
  if (before.some((word) => ANYTHING.has(word))) return true;
  const isAll = before.length > 0 && before.every((word) => word === 'all' || word === 'every');
  return (
    isAll &&
    /^(?:but|except|excepting|excluding|without|apart|aside|other|besides|save|bar|minus|that|which|in)$/.test(
      textAt(atoms, at) ?? '',
    )
  );
}

const ANYTHING: ReadonlySet<string> = new Set('everything anything whatever something'.split(' '));

/** What the names of some begin with, as a filter has it. */
export function kinPattern(kin: readonly Instance[]): string {
  const [, start = ''] = /^([a-z]+[-_. ]?)/i.exec(kin[0]?.name ?? '') ?? [];
  return kin.every(({ name }) => name.startsWith(start))
    ? `${start}*`
    : kin.map(({ name }) => name).join(',');
}

/** Whether things follow, so that a word before them describes them. */
function describes({ names }: Pick<Known, 'names'>, atoms: readonly Atom[], at: number): boolean {
  const word = textAt(atoms, at) ?? '';
  return (
    THINGS.has(word) ||
    names.kin(word).length > 0 ||
    (STATES[word] !== undefined && THINGS.has(textAt(atoms, at + 1) ?? ''))
  );
}

function readQualifiers(
  known: Known,
  atoms: readonly Atom[],
  at: number,
): { readonly filters: string[]; readonly next: number } {
  const filters: string[] = [];
  let next = at;
  for (;;) {
    const found = readQualifier(known, atoms, next);
    if (!found) return { filters, next };
    filters.push(found.filter);
    next = found.next;
  }
}

function readQualifier(
  { names, addons }: Known,
  atoms: readonly Atom[],
  at: number,
): { readonly filter: string; readonly next: number } | undefined {
  let next =
    at +
    countWhile(atoms, at, ({ text }) =>
      [
        'that',
        'which',
        'is',
        'are',
        'has',
        'have',
        'having',
        'with',
        'in',
        'on',
        'and',
        'older',
        'than',
        'not',
        'but',
      ].includes(text),
    );
  const between = atoms.slice(at, next).map(({ text }) => text);
  const word = textAt(atoms, next) ?? '';
  if (between.includes('older')) {
    if (!between.includes('than')) return undefined;
    const isOne = word === 'one' || UNITS[word] !== undefined || word === 'month';
    const unit = isOne && word !== 'one' ? word : (textAt(atoms, next + 1) ?? '');
    const count = isOne ? 1 : Number(NUMBERS[word] ?? word);
    next += isOne && word !== 'one' ? 1 : 2;
    const not = between.includes('not') ? '-' : '';
    if (/^months?$/.test(unit)) return { filter: `${not}older:${count * 30}d`, next };
    const letter = UNITS[unit];
    return letter === undefined || !Number.isInteger(count)
      ? undefined
      : { filter: `${not}older:${count}${letter}`, next };
  }
  const [starts, withWord] = [textAt(atoms, next), textAt(atoms, next + 1)];
  const isStart = between.includes('that') ? /^(?:starts?|begins?)$/ : /^(?:starting|beginning)$/;
  if (isStart.test(starts ?? '') && withWord === 'with') return readStarts(names, atoms, next + 2);
  if (word === 'without') {
    const lacked = textAt(atoms, next + 1) ?? '';
    return addons.has(lacked) ? { filter: `-addon:${lacked}`, next: next + 2 } : undefined;
  }
  if (between.length === 0) return undefined;
  const minus = between.includes('not') ? '-' : '';
  const [linked, has] = [
    between.some((one) => ['that', 'which', 'is', 'are', 'in'].includes(one)),
    between.some((one) => ['with', 'has', 'have', 'having'].includes(one)),
  ];
  // "In staging" is where the names begin with it.
  if (between.at(-1) === 'in' && names.kin(word).length > 0)
    return { filter: `${minus}name:${kinPattern(names.kin(word))}`, next: next + 1 };
  const tier = names.tier(word);
  const values = readValues({ names }, atoms, next);
  if (values && tier !== undefined && between.includes('on')) {
    const { filter, next: end } = values;
    return { filter: `${minus}${filter}`, next: end + (textAt(atoms, end) === 'tier' ? 1 : 0) };
  }
  if (has && addons.has(word)) {
    const isMore = textAt(atoms, next + 1) === 'or' && addons.has(textAt(atoms, next + 2) ?? '');
    const types = isMore ? [word, textAt(atoms, next + 2)] : [word];
    const end = next + (isMore ? 3 : 1);
    return {
      filter: `${minus}addon:${types.join(',')}`,
      next: end + (textAt(atoms, end) === 'add-on' ? 1 : 0),
    };
  }
  const state = STATES[word];
  // "on" and "off" have been read over as a part of what stands before.
  if (linked && values) return { filter: `${minus}${values.filter}`, next: values.next };
  if (linked && state !== undefined) return { filter: `${minus}${state}`, next: next + 1 };
  return between.at(-1) === 'on' && linked ? { filter: `${minus}status:running`, next } : undefined;
}

/** "Web", "web or db": what names begin with. A word behind "or" is one only where a name begins so. */
function readStarts(
  { all }: Known['names'],
  atoms: readonly Atom[],
  at: number,
): { readonly filter: string; readonly next: number } | undefined {
  const first = textAt(atoms, at);
  if (first === undefined) return undefined;
  const starts = [first];
  for (let next = at + 1; ;) {
    const joins = countWhile(atoms, next, ({ text }) => JOINS.has(text));
    const start = textAt(atoms, next + joins) ?? '';
    const isStart = start !== '' && all.some(({ name }) => name.toLowerCase().startsWith(start));
    if (joins === 0 || !isStart) return { filter: `name:${starts.map((one) => `${one}*`).join(',')}`, next };
    starts.push(start);
    next += joins + 1;
  }
}
