import type { Amount } from '../../../core/money/amount.ts';
import { ALL_GROUPS, type CostGroups, groupsBy } from '../../../core/policy/sections.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { monthRange } from '../forecast/month.ts';
import { costsByDay } from '../ledger/daily-costs.ts';
import { dayAt, type NamedDay } from '../ledger/day.ts';
import type { Days } from '../ledger/days.ts';
import { costedIn, figuresOf, type MonthLine } from '../month/figures.ts';
import { monthOf } from '../month/month-words.ts';
import { MAX_DAYS, outlookOf } from '../range/range.ts';

/** What a running month of a group has cost. */
export interface Spending {
  readonly spent: Amount;
  /** What its instances have cost, the most expensive first. */
  readonly lines: readonly MonthLine[];
  /** Not all of its days are known. */
  readonly isAtLeast: boolean;
  /** Where the figures come from. */
  readonly source: string;
  /** When the newest of it was read, Unix ms. */
  readonly asOf: number;
  /** What the month is likely to come to; undefined where that wasn't asked, or too few days are known. */
  readonly likely: Amount | undefined;
}

/** Now, Unix ms, and the month that is meant, as in "2026-10". */
interface Moment {
  readonly now: number;
  readonly month: string;
}

/** The days on which it stands: those of `month`, and of the pace those before. None on its first. */
export async function daysFor(
  days: Pick<Days, 'list'>,
  { now, month }: Moment,
  isPaceWanted: boolean,
): Promise<readonly NamedDay[]> {
  const yesterday = dayAt(now - DAY_MS);
  const first = `${month}-01`;
  if (yesterday < first) return [];
  const earliest = dayAt(now - MAX_DAYS * DAY_MS);
  return days.list(isPaceWanted && earliest < first ? earliest : first, yesterday);
}

/** What `month` has cost of a group, by these days; undefined where none of it is known. Pure. */
export type SpendingOf = (
  days: readonly NamedDay[],
  group: string,
  groups: CostGroups,
  moment: Moment,
  isPaceWanted: boolean,
) => Spending | undefined;

/** The same where transactions have filled the days. Pure. */
export const bookedSpendingOf: SpendingOf = (days, group, groups, { now, month }, isPaceWanted) => {
  const isIn = membersOf(days, group, groups);
  const first = `${month}-01`;
  const ofMonth = days.filter(({ day }) => day >= first);
  const { used, lines, gaps, unreadable, asOf } = figuresOf(ofMonth, [], 'instance', {
    maySee: (target) => (target === 'all' ? group === ALL_GROUPS : isIn(target.id)),
    mayKnowAdded: false,
  });
  if (asOf === undefined) return undefined;
  // A month that is over has no pace.
  const isPaced = isPaceWanted && month === monthOf(now);
  const outlook = isPaced ? outlookOf({ days: costsByDay(days, isIn), asOf: now }) : undefined;
  return {
    spent: used,
    lines,
    isAtLeast: gaps.length > 0 || unreadable > 0,
    source: 'the transactions of the service',
    asOf,
    likely: outlook && monthRange(outlook).likely,
  };
};

/** Whether an instance counts in the group, by what is known of it last. What belongs to no instance counts in `all` alone. */
export function membersOf(
  days: readonly NamedDay[],
  group: string,
  groups: CostGroups,
): (id: string) => boolean {
  if (group === ALL_GROUPS) return () => true;
  const groupOf = groupsBy(groups);
  const costed = costedIn(days);
  const known = new Map<string, boolean>([['', false]]);
  return (id) => {
    const isIn = known.get(id) ?? groupOf(costed(id)) === group;
    known.set(id, isIn);
    return isIn;
  };
}
