import { z } from 'zod';
import { type Amount, compare, multiply, parseAmount, ZERO } from '../../../core/money/amount.ts';
import { ALL_GROUPS, type CostGroups } from '../../../core/policy/sections.ts';
import type { OneKind, OneRecord } from '../../../core/records/one-record.ts';
import { key } from '../../../platform/redis/key.ts';
import type { Spending } from './spending.ts';

/** What months of parts of the costs may come to, and what was told of it. */

const thresholdSchema = z.string().regex(/^(?:\d{1,3}|pace)$/);
/** So many percent of the budget, or that the month will pass it at the pace of now. */
export type Threshold = z.infer<typeof thresholdSchema>;

const budgetSchema = z.object({
  /** The name of a cost group, or `all`. */
  group: z.string(),
  /** An exact decimal. */
  amount: z.string(),
  at: z.array(thresholdSchema).readonly(),
  /** Where it is told; undefined for where alerts go. */
  channelId: z.string().optional(),
  by: z.string(),
  /** When it was set, by the calendar, Unix ms. */
  setAt: z.number(),
  /** What was told of this month, as in "2026-10": of another one nothing was. */
  told: z
    .object({
      month: z.string(),
      reached: z.array(thresholdSchema).readonly(),
      /** Somebody has said that nothing more of the month is to be told. */
      isQuiet: z.literal(true).optional(),
    })
    .optional(),
});
export type Budget = z.infer<typeof budgetSchema>;

const budgetsSchema = z.object({ budgets: z.array(budgetSchema).readonly() });
export type Budgets = z.infer<typeof budgetsSchema>;

export type BudgetStore = OneRecord<Budgets>;

/** What parts of the costs may come to in a month. */
export const BUDGETS: OneKind<Budgets> = {
  key: key('budgets'),
  schema: budgetsSchema,
  none: { budgets: [] },
};

/** Whether what a budget is of is in the policy file: one whose group left it tells nothing. Pure. */
export function isKnown({ group }: Pick<Budget, 'group'>, groups: CostGroups): boolean {
  return group === ALL_GROUPS || groups.some(({ name }) => name === group);
}

/** With this budget in place of the one that its group had. Pure. */
export function withBudget({ budgets }: Budgets, budget: Budget): Budgets {
  return { budgets: [...budgets.filter(({ group }) => group !== budget.group), budget] };
}

/** Without the budget of a group; undefined where it has none. Pure. */
export function withoutBudget({ budgets }: Budgets, group: string): Budgets | undefined {
  const rest = budgets.filter((one) => one.group !== group);
  return rest.length === budgets.length ? undefined : { budgets: rest };
}

/** With nothing more told of a budget in that month; undefined where that is so, or there is no such budget. Pure. */
export function quieted({ budgets }: Budgets, group: string, month: string): Budgets | undefined {
  const budget = budgets.find((one) => one.group === group);
  if (!budget || isQuiet(budget, month)) return undefined;
  const told = { month, reached: toldIn(budget, month), isQuiet: true as const };
  return { budgets: budgets.map((one) => (one === budget ? { ...one, told } : one)) };
}

/** Whether nothing more of the month is told. Pure. */
export function isQuiet({ told }: Budget, month: string): boolean {
  return told?.month === month && told.isQuiet === true;
}

/** Whether it is told by the pace of the month as well. Pure. */
export function isPaceWanted({ at }: Pick<Budget, 'at'>): boolean {
  return at.includes('pace');
}

/** What was told of a month. Pure. */
function toldIn({ told }: Budget, month: string): readonly Threshold[] {
  return told?.month === month ? told.reached : [];
}

/** Which of its thresholds a month has reached, in their order. Pure. */
export function reachedBy(
  { amount, at }: Pick<Budget, 'amount' | 'at'>,
  { spent, likely }: Pick<Spending, 'spent' | 'likely'>,
): readonly Threshold[] {
  const budget = parseAmount(amount) ?? ZERO;
  const hundredfold = multiply(spent, HUNDRED);
  return at.filter((one) =>
    one === 'pace'
      ? likely !== undefined && compare(likely, budget) > 0
      : compare(hundredfold, multiply(budget, parseAmount(one) ?? HUNDRED)) >= 0,
  );
}

/** What is to be told of it now that wasn't told this month. Pure. */
export function dueOf(budget: Budget, month: string, spending: Spending): readonly Threshold[] {
  if (isQuiet(budget, month)) return [];
  const told = toldIn(budget, month);
  return reachedBy(budget, spending).filter((one) => !told.includes(one));
}

/** The budget once these were told. Pure. */
export function withTold(budget: Budget, month: string, these: readonly Threshold[]): Budget {
  return { ...budget, told: { month, reached: [...toldIn(budget, month), ...these] } };
}

const HUNDRED: Amount = { units: 100n, scale: 0 };
