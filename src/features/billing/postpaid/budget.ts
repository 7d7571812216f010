import {
  type Amount,
  formatAmount,
  multiply,
  parseAmount,
  timesIn,
  toDecimal,
} from '../../../core/money/amount.ts';
import { followedBy, inWords } from '../../../core/ask/mend-words.ts';
import { isCurrency, parsePriced } from '../../../core/money/typed.ts';
import { Refusal } from '../../../core/refusal.ts';
import { say } from '../../../platform/slack/phrase.ts';
import type { Settings } from '../alerts/alarm.ts';
import type { AlertConfig } from '../alerts/alert-settings.ts';

/** How the service bills: what people call it, and the code of its currency. */
export interface Billed {
  readonly name: string;
  readonly currency: string;
}

/** The budget that counts now, a decimal: the configuration's where it names one, else the one set in Slack. */
export function budgetOf(settings: Settings, config: Pick<AlertConfig, 'budget'>): string | undefined {
  const configured = config.budget === undefined ? undefined : parsePriced(config.budget);
  return configured ? toDecimal(configured.amount) : settings.budget;
}

/** Whether a budget of the configuration is in the currency of the service, or names none. */
export function isBudgetFor(budget: string, currency: string): boolean {
  return isCurrency(currency, parsePriced(budget)?.called);
}

/** A budget as a person typed it, as a decimal. Throws a Refusal. */
export function readBudget(typed: string, { name, currency }: Billed): string {
  const example = say`as in /billing alerts set budget 200 ${currency}`;
  if (typed === '')
    throw new Refusal(
      'bad-set',
      say`How much may a month cost?`,
      followedBy(inWords('Amount', `200 ${currency}`)),
    );
  const priced = parsePriced(typed);
  if (!priced)
    throw new Refusal(
      'bad-budget',
      say`I can't read "${typed}" as a budget. Say an amount above 0 with a point before cents, ${example}. Nothing was changed.`,
    );
  if (!isCurrency(currency, priced.called))
    throw new Refusal(
      'other-currency',
      say`${name} bills in ${currency}, so the budget must be in ${currency}, too, ${example}. Nothing was changed.`,
    );
  return toDecimal(priced.amount);
}

/** An amount with its currency: "212.40 USD". */
export function moneyWords(amount: Amount | string | undefined, currency: string): string {
  const read = typeof amount === 'object' ? amount : parseAmount(amount);
  return read ? `${formatAmount(read)} ${currency}` : `an unknown amount of ${currency}`;
}

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

/** "November", of a moment in Unix ms. */
export function monthName(at: number): string {
  return MONTH.format(at);
}

const HUNDRED: Amount = { units: 100n, scale: 0 };

/** Rounded down: 80 % is said only once it is reached. */
export function percentOf(soFar: Amount, budget: Amount): string {
  return budget.units === 0n ? '0' : `${timesIn(multiply(soFar, HUNDRED), budget, 1)}`;
}
