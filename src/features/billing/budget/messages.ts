import { formatAmount, parseAmount, ZERO, counted } from '../../../core/money/amount.ts';
import { ALL_GROUPS } from '../../../core/policy/sections.ts';
import type { Button, Message } from '../../../platform/slack/message.ts';
import { join, type Phrase, plain, say, strong, time } from '../../../platform/slack/phrase.ts';
import type { MonthLine } from '../month/figures.ts';
import { calledIn } from '../month/messages.ts';
import { monthName, percentOf } from '../postpaid/budget.ts';
import { type Budget, isQuiet, reachedBy, type Threshold } from './budgets.ts';
import type { Spending } from './spending.ts';

export const BUDGET_ROUTE = 'billing.budget';
export const QUIET_ROUTE = 'billing.budget-quiet';

const LIST: Button = { label: 'All budgets', routeId: BUDGET_ROUTE, value: 'all' };
const MOST_LINES = 3;

/** What a budget is of: "the group staging", or "the account". */
export function calledOf(group: string): string {
  return group === ALL_GROUPS ? 'the account' : `the group ${plain(group, 80)}`;
}

/** "at 50 %, at 80 %, and when the pace of the month will pass it". */
function thresholdsWords(at: readonly Threshold[]): string {
  const words = at.map((one) => (one === 'pace' ? 'when the pace of the month will pass it' : `at ${one} %`));
  const last = words.at(-1) ?? '';
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${last}` : last;
}

/** What is told once of a month that has reached these thresholds. `now`: Unix ms, in that month. */
export function reachedMessage(
  budget: Budget,
  due: readonly Threshold[],
  spending: Spending,
  { unit, now, value }: { readonly unit: string; readonly now: number; readonly value: string },
): Message {
  const { lines } = spending;
  return {
    lines: [headline(budget, due, spending, unit, now), ...mostLine(lines, unit)],
    note: asOfWords(spending),
    buttons: [{ label: 'Quiet this month', routeId: QUIET_ROUTE, value }, LIST],
  };
}

function headline(
  { group, amount }: Budget,
  due: readonly Threshold[],
  { spent, isAtLeast, likely }: Spending,
  unit: string,
  now: number,
): Phrase {
  const budget = parseAmount(amount) ?? ZERO;
  const [who, month] = [capital(calledOf(group)), monthName(now)];
  const atLeast = isAtLeast ? 'at least ' : '';
  const soFar = `${atLeast}${formatAmount(spent)} of ${counted(budget, unit)}`;
  const pace =
    due.includes('pace') && likely ? say` At this pace it comes to about ${counted(likely, unit)}.` : say``;
  const percents = due.filter((one) => one !== 'pace').map(Number);
  if (percents.length === 0)
    return say`⚠️ ${strong(`${who} is on course to pass its budget`)} for ${month}: ${soFar} so far.${pace}`;
  if (Math.max(...percents) < 100)
    return say`⚠️ ${strong(`${who} has used ${percentOf(spent, budget)} % of its budget`)} for ${month}: ${soFar} so far.${pace}`;
  return say`🚨 ${strong(`${who} has used up its budget`)} for ${month}: ${soFar}, which is ${percentOf(spent, budget)} %.`;
}

function mostLine(lines: readonly MonthLine[], unit: string): Phrase[] {
  const most = lines.slice(0, MOST_LINES).map((line) => say`${calledIn(line)} ${counted(line.amount, unit)}`);
  return most.length === 0 ? [] : [say`Most of it: ${join(most, ', ')}.`];
}

/** What was set, where it is told, and what of it is reached already. */
export function setMessage(
  budget: Budget,
  spending: Spending | undefined,
  { unit, now, where }: { readonly unit: string; readonly now: number; readonly where: Phrase },
): Message {
  const reached = spending ? reachedBy(budget, spending) : [];
  return {
    lines: [
      say`🎯 ${setWords(budget, unit)} I tell of it ${where}.`,
      spentWords(budget, spending, { unit, now }),
      ...(reached.length === 0
        ? []
        : [
            say`Reached already, so I don't tell of it again this month: ${join(reached.map(reachedWords), ', ')}.`,
          ]),
    ],
    ...(spending ? { note: asOfWords(spending) } : {}),
    buttons: [LIST],
  };
}

/** The budget in a sentence. */
export function setWords({ group, amount, at }: Budget, unit: string): Phrase {
  return say`The budget of ${calledOf(group)} is ${strong(counted(parseAmount(amount) ?? ZERO, unit))} a month, told ${thresholdsWords(at)}.`;
}

/** What the month has cost of a budget. */
function spentWords(
  { amount }: Budget,
  spending: Spending | undefined,
  { unit, now }: { readonly unit: string; readonly now: number },
): Phrase {
  const month = monthName(now);
  if (!spending) return say`I have no figures of ${month} yet.`;
  const { spent, isAtLeast, likely } = spending;
  const pace = likely ? say`, and comes to about ${counted(likely, unit)} at this pace` : say``;
  return say`${month} has cost ${isAtLeast ? say`at least ` : ''}${counted(spent, unit)} so far, ${percentOf(spent, parseAmount(amount) ?? ZERO)} % of it${pace}.`;
}

function reachedWords(one: Threshold): Phrase {
  return one === 'pace' ? say`the pace` : say`${one} %`;
}

/** A budget as it stands, for the list of all. */
export interface ListedBudget {
  readonly budget: Budget;
  readonly spending: Spending | undefined;
  /** The group is in the policy file. */
  readonly isKnown: boolean;
  readonly where: Phrase;
}

/** All budgets, and what the month has cost of each. */
export function listMessage(
  all: readonly ListedBudget[],
  { unit, now, month }: { readonly unit: string; readonly now: number; readonly month: string },
): Message {
  const [newest] = all
    .flatMap(({ spending }) => spending ?? [])
    .toSorted((one, other) => other.asOf - one.asOf);
  return {
    lines: [say`🎯 ${all.length === 1 ? '1 budget' : `${all.length} budgets`}:`],
    bullets: all.map(({ budget, spending, isKnown, where }) => {
      const quiet = isQuiet(budget, month) ? say` Quiet this month.` : say``;
      return isKnown
        ? say`${setWords(budget, unit)} ${spentWords(budget, spending, { unit, now })} I tell of it ${where}.${quiet}`
        : say`${setWords(budget, unit)} The policy file has no such group any more, so I tell nothing of it.`;
    }),
    ...(newest ? { note: asOfWords(newest) } : {}),
  };
}

function asOfWords({ source, asOf }: Pick<Spending, 'source' | 'asOf'>): Phrase {
  return say`From ${source}, as of ${time(asOf)}. Days are in UTC.`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
