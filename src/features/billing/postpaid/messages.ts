import { add, type Amount, compare, formatAmount, negate, ZERO } from '../../../core/money/amount.ts';
import type { Button, Message } from '../../../platform/slack/message.ts';
import { day, join, type Phrase, say, strong, time } from '../../../platform/slack/phrase.ts';
import { percentOf } from './budget.ts';
import type { Forecast } from './forecast.ts';

/** What is billed afterwards, as it was read. */
export interface SpendingRead {
  readonly currency: string;
  readonly monthSoFar: Amount;
  /** What is owed from before; less than zero: credit. */
  readonly owedBefore: Amount | undefined;
  /** What a month may cost. */
  readonly budget: Amount | undefined;
  readonly forecast: Forecast | undefined;
  /** What the service says of what costs, as a sentence. */
  readonly remark: string | undefined;
  /** Unix ms. */
  readonly asOf: number;
  /** What else can be looked at. */
  readonly details: readonly Button[];
}

/** `/billing` of a service that is paid afterwards. */
export function spendingMessage({
  currency,
  monthSoFar,
  owedBefore,
  budget,
  forecast,
  remark,
  asOf,
  details,
}: SpendingRead): Message {
  const money = (amount: Amount): string => `${formatAmount(amount)} ${currency}`;
  const soFar = say`🧾 ${strong(money(monthSoFar))} this month so far`;
  const ofBudget = budget ? [say`${percentOf(monthSoFar, budget)} % of the budget of ${money(budget)}`] : [];
  const atThisPace = forecast
    ? [say`about ${money(forecast.amount)} by ${day(forecast.until)} at this pace`]
    : [];
  return {
    lines: [
      join([soFar, ...ofBudget, ...atThisPace], ' · '),
      ...owedWords(monthSoFar, owedBefore, money),
      say`Billed monthly in arrears.${remark === undefined ? say`` : say` ${remark}`}`,
    ],
    note: say`As of ${time(asOf)}`,
    buttons: details,
  };
}

function owedWords(
  monthSoFar: Amount,
  owedBefore: Amount | undefined,
  money: (amount: Amount) => string,
): readonly Phrase[] {
  if (!owedBefore || compare(owedBefore, ZERO) === 0) return [];
  const now = add(owedBefore, monthSoFar);
  if (compare(now, ZERO) < 0) return [say`After that, ${money(negate(now))} of credit is left.`];
  const before =
    compare(owedBefore, ZERO) > 0
      ? say`${money(owedBefore)} is owed from before`
      : say`${money(negate(owedBefore))} of credit counts against it`;
  return [say`${before}, so ${money(now)} is owed in all.`];
}
