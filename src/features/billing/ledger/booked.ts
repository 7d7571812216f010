import { createHash } from 'node:crypto';
import {
  add,
  type Amount,
  compare,
  negate,
  parseAmount,
  toDecimal,
  ZERO,
} from '../../../core/money/amount.ts';
import type { Transaction } from '../../../platform/hosting/service.ts';
import { whenOf } from '../transactions/walk.ts';
import { rowsOf, totalOf } from './daily-costs.ts';
import { type Booked, type Day, seenIn, type Sums } from './day.ts';

/** Stands between a type of transactions and the add-on that a charge of it is for. */
const MARK = ': ';
/** As a service says of a charge which add-on it is for: "Add-on backup: web-1". */
const NAMED = /^add[-_ ]?on[: ]+([a-z0-9][\w.-]{0,39})(?=[:\s]|$)/i;
/** So many add-ons of a type are told apart on one day, so that what services write can't make it grow. */
const MAX_ADDONS = 50;

/** Whether it is a type of add-ons, by its name. */
export function isOfAddons(type: string): boolean {
  return /add[-_ ]?on/i.test(type);
}

/** The type without the name of an add-on. Pure. */
export function withoutAddon(type: string): string {
  return isOfAddons(type) ? (type.split(MARK)[0] ?? type) : type;
}

/**
 * The type under which a transaction is summed up: for add-ons with the name of the one that it is for, where the service says it
 * and the day has room for it. `known`: the types that the day has. Pure.
 */
export function typeOf(
  { type, description = '' }: Pick<Transaction, 'type' | 'description'>,
  known: ReadonlyMap<string, unknown>,
): string {
  const name = isOfAddons(type) ? NAMED.exec(description)?.[1] : undefined;
  if (name === undefined) return type;
  const named = `${type}${MARK}${name.toLowerCase()}`;
  if (known.has(named)) return named;
  const others = [...known.keys()].filter((one) => one.startsWith(`${type}${MARK}`));
  return others.length < MAX_ADDONS ? named : type;
}

/** A day of which nothing was read yet. */
export function nothingBooked(run: string, asOf: number): Booked {
  return { asOf, used: {}, added: {}, total: '0', unreadable: 0, marks: '', names: {}, run };
}

/** The length of a mark: by 36 bits, no two of a day are the same. */
const MARK_LENGTH = 6;
/** So many marks are kept of a day. One with more takes nothing that comes late: nobody could tell whether it was counted. */
const MAX_MARKS = 4_000;

/** A day's transactions with these besides, each to be given once. Pure. */
export function withTransactions(booked: Booked, transactions: readonly Transaction[], asOf: number): Booked {
  const [used, added] = [toMaps(booked.used), toMaps(booked.added)];
  let { unreadable } = booked;
  for (const one of transactions) {
    const amount = parseAmount(one.amountCredits);
    if (!amount || whenOf(one) === undefined) unreadable += 1;
    else if (compare(amount, ZERO) < 0) addTo(used, one, negate(amount));
    else if (compare(amount, ZERO) > 0) addTo(added, one, amount);
  }
  const marks = `${booked.marks ?? ''}${transactions.map(markOf).join('')}`;
  const isMarked = booked.marks !== undefined && marks.length <= MAX_MARKS * MARK_LENGTH;
  const { marks: _, ...rest } = booked;
  const sums = toSums(used);
  return {
    ...rest,
    asOf,
    used: sums,
    total: toDecimal(totalOf(sums)),
    added: toSums(added),
    unreadable,
    ...(isMarked ? { marks } : {}),
  };
}

/** A closed day with those of these that are not in it yet; undefined where there are none. Pure. */
export function withLate(
  booked: Booked,
  transactions: readonly Transaction[],
  asOf: number,
): Booked | undefined {
  const { marks, late = 0 } = booked;
  if (marks === undefined) return undefined;
  const known = new Set(
    Array.from({ length: marks.length / MARK_LENGTH }, (_, at) =>
      marks.substr(at * MARK_LENGTH, MARK_LENGTH),
    ),
  );
  const fresh = transactions.filter((one) => !known.has(markOf(one)));
  if (fresh.length === 0) return undefined;
  return { ...withTransactions(booked, fresh, asOf), late: late + fresh.length };
}

/**
 * The day with its draft as what counts. Where this reading found nothing of it, what counted stays, or is nothing where it is read
 * anew. Pure.
 */
export function closed(
  { draft, booked, ...day }: Day,
  {
    run,
    isAnew,
    names,
    asOf,
  }: { run: string; isAnew: boolean; names: ReadonlyMap<string, string>; asOf: number },
): Day {
  const stays = isAnew && booked?.run !== run ? undefined : booked;
  const next = draft?.run === run ? draft : (stays ?? nothingBooked(run, asOf));
  return { ...day, booked: { ...next, names: { ...next.names, ...namesFor(next, day, names) } } };
}

/** Names of those instances that the day's own looks did not see. */
function namesFor(
  { used, added }: Booked,
  { seen }: Day,
  names: ReadonlyMap<string, string>,
): Record<string, string> {
  const known = new Set(seenIn(seen).map(({ id }) => id));
  return Object.fromEntries(
    [...rowsOf(used), ...rowsOf(added)].flatMap(({ id }) => {
      const name = known.has(id) ? undefined : names.get(id);
      return name === undefined ? [] : [[id, name]];
    }),
  );
}

/** By what doesn't change: a service may compute the balance anew, and put an amount right. */
function markOf({ id, type, createdAt }: Transaction): string {
  const hash = createHash('sha256').update(JSON.stringify([id, type, createdAt]));
  return hash.digest('base64url').slice(0, MARK_LENGTH);
}

/** Sums while they are made: amounts by type and instance. */
export type Maps = Map<string, Map<string, Amount>>;

function toMaps(sums: Sums): Maps {
  const maps: Maps = new Map();
  for (const { type, id, amount } of rowsOf(sums)) count(maps, type, id, amount);
  return maps;
}

function addTo(sums: Maps, one: Transaction, amount: Amount): void {
  const { instanceId: id = '' } = one;
  count(sums, typeOf(one, sums), id, amount);
}

/** Adds an amount of a type and an instance. */
export function count(sums: Maps, type: string, id: string, amount: Amount): void {
  const rows = sums.get(type) ?? new Map<string, Amount>();
  sums.set(type, rows.set(id, add(rows.get(id) ?? ZERO, amount)));
}

/** The same as a record keeps them. Pure. */
export function toSums(maps: Maps): Sums {
  const row = ([id, amount]: [string, Amount]): [string, string] => [id, toDecimal(amount)];
  return Object.fromEntries([...maps].map(([type, rows]) => [type, [...rows].map(row)]));
}
