import { Temporal } from 'temporal-polyfill';
import { HOUR_MS } from '../../platform/time/duration.ts';
import { notReadTime } from './cannot.ts';
import { type Spot, targetOf, unclear } from './change-for.ts';
import type { Order } from './orders.ts';
import type { Filled, Sentence } from './read.ts';
import type { Understood } from './understood.ts';
import { NOON_HOUR, startOf, type When } from './when-of.ts';

/** A time at which an order before was to begin, and of what. */
interface Before {
  readonly when: When;
  /** Unix ms. */
  readonly at: number;
  readonly of: string;
}

/**
 * A sentence of several orders in which each is read from the time of the one before it: "at 8" after "tonight at 22:00" is the next
 * morning. Where it isn't certain that it comes after it, what is unclear: "tomorrow" after "friday", no time after a time, once after what comes
 * again and again. `whole`: as it was typed. Pure.
 */
export function inOrder(
  orders: readonly Order[],
  sentence: Sentence,
  spot: Spot,
  whole: string,
): { readonly sentence: Sentence } | { readonly not: Understood } {
  const slots = [...sentence.slots];
  const isAgain = orders.some((order) => comesAgain(beginOf(order, slots)));
  let before: Before | undefined;
  for (const order of orders) {
    const index = order.at.get('when') ?? -1;
    const when = beginOf(order, slots);
    const of = (targetOf(order.at, sentence, spot)?.called.flat() ?? []).map(({ id }) => id).join(' ');
    if (!when && before) return { not: unclear(whole) };
    if (!when) continue;
    const read =
      comesAgain(when) === isAgain ? (isAgain ? when : afterIt(when, of, before, spot)) : undefined;
    if (!read) return { not: unclear(sentence.typed[index] ?? whole, notReadTime) };
    slots[index] = { slot: 'when', when: read };
    before = { when: read, at: beginning(read, spot), of };
  }
  return { sentence: { ...sentence, slots } };
}

/** When an order is to begin, as far as it says so. */
function beginOf({ at }: Order, slots: readonly Filled[]): When | undefined {
  const filled = slots[at.get('when') ?? -1];
  return filled?.slot === 'when' && !filled.when.isEnd ? filled.when : undefined;
}

function comesAgain(when: When | undefined): boolean {
  return when !== undefined && (when.days ?? when.to) !== undefined;
}

function beginning({ date, nextDate, time }: When, { moment }: Pick<Spot, 'moment'>): number {
  return startOf(date ?? nextDate, time, moment.zone);
}

/** The same time, of the first day that is not before another; undefined where that isn't certain. */
function afterIt(when: When, of: string, before: Before | undefined, spot: Spot): When | undefined {
  if (!before) return when;
  const days = when.date === undefined ? 1 : when.weekday === undefined ? 0 : DAYS_OF_A_WEEK;
  let read = when;
  while (beginning(read, spot) < before.at) {
    // Of something else it may be meant before, and "tomorrow" is counted from today.
    if (days === 0 || of !== before.of) return undefined;
    const next = Temporal.PlainDate.from(read.date ?? read.nextDate)
      .add({ days })
      .toString();
    read = days === 1 ? { ...read, nextDate: next } : { ...read, date: next };
  }
  // "At 8 and at 6": who says 20:00 counts the hours of a day, and nobody else surely does.
  const isOf24 = before.when.half === undefined && before.when.time.hour > NOON_HOUR;
  const mayBeSooner = beginning(read, spot) - NOON_HOUR * HOUR_MS > before.at;
  return when.half === 'bare' && !isOf24 && mayBeSooner ? undefined : read;
}

const DAYS_OF_A_WEEK = 7;
