import { Refusal } from '../../../core/refusal.ts';
import { say } from '../../../platform/slack/phrase.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { TRANSACTIONS_NOT_OFFERED } from '../balance/offered.ts';
import { dayAt, type NamedDay } from '../ledger/day.ts';
import type { Days } from '../ledger/days.ts';
import type { Filling } from '../ledger/filling.ts';
import { dayName, lastOf, monthBefore, monthName } from './month-words.ts';
import type { Billing } from '../billing.ts';

/** The days of a month that are over, and as many of the month before; all of it, where the month is over. */
export interface ComparedMonth {
  readonly days: readonly NamedDay[];
  readonly before: readonly NamedDay[];
  /** How many days of it are over; undefined where all are. */
  readonly daysOver: number | undefined;
  /** Whether it can be compared: all of both is known. */
  readonly isCompared: boolean;
  /** The first day of the figures, where that lies in this month. */
  readonly since: string | undefined;
  /** Whether there are figures of the month before. */
  readonly hasBefore: boolean;
}

/** A month as the ledger has it, and what it is compared with. Throws a Refusal where there are no figures of it. */
export async function readMonth(
  deps: Pick<Billing, 'days' | 'filling'>,
  month: string,
  now: number,
): Promise<ComparedMonth> {
  const filling = await deps.filling.get();
  const { filled } = filling;
  const first = `${month}-01`;
  const isYoung = first > dayAt(now - DAY_MS);
  // On the first day of a month nothing of it is over.
  if (!filled || lastOf(month) < filled.from || isYoung) throw noFigures(filling, month, isYoung);
  const { days, earlier, isOver } = await daysOfMonth(deps.days, month, now);
  const before = isOver ? earlier : earlier.slice(0, days.length);
  return {
    days,
    before,
    daysOver: isOver ? undefined : days.length,
    isCompared: before.length > 0 && [...days, ...before].every(({ record }) => record.booked !== undefined),
    since: filled.from > first ? filled.from : undefined,
    hasBefore: lastOf(monthBefore(month)) >= filled.from,
  };
}

/** The days of a month that are over, all of the month before, and whether the month is over. `now`: the calendar's, Unix ms. */
export async function daysOfMonth(
  days: Days,
  month: string,
  now: number,
): Promise<{
  readonly days: readonly NamedDay[];
  readonly earlier: readonly NamedDay[];
  readonly isOver: boolean;
}> {
  const [before, last, yesterday] = [monthBefore(month), lastOf(month), dayAt(now - DAY_MS)];
  const isOver = last <= yesterday;
  const [ofMonth, earlier] = await Promise.all([
    days.list(`${month}-01`, isOver ? last : yesterday),
    days.list(`${before}-01`, lastOf(before)),
  ]);
  return { days: ofMonth, earlier, isOver };
}

function noFigures({ filled, isNotOffered, reading }: Filling, month: string, isYoung: boolean): Refusal {
  if (isNotOffered)
    return new Refusal(
      TRANSACTIONS_NOT_OFFERED,
      say`This hosting service doesn't offer a list of transactions.`,
    );
  if (!filled)
    return new Refusal(
      'no-figures',
      say`I have no figures by month yet: I'm still reading what the service has charged${reading ? say`, ${reading.count} transactions so far` : say``}. Ask again in a few minutes.`,
    );
  if (isYoung)
    return new Refusal(
      'no-figures',
      say`${monthName(month)} has no day yet that is over. For the month before, type /billing month last month.`,
    );
  return new Refusal(
    'no-figures',
    say`I have no figures for ${monthName(month)}: they begin on ${dayName(filled.from)} ${filled.from.slice(0, 4)}. For the service's own list, type /billing transactions --in ${month}.`,
  );
}
