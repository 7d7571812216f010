import { type Amount, parseAmount, ZERO } from '../../../core/money/amount.ts';
import type { Button } from '../../../platform/slack/message.ts';
import { day, join, type Phrase, say, strong, time } from '../../../platform/slack/phrase.ts';
import type { Ending } from '../alerts/alarm.ts';
import { BUDGET, type Face } from '../alerts/face.ts';
import { ICONS } from '../alerts/messages.ts';
import { monthIn } from '../alerts/seen.ts';
import type { Measure } from '../alerts/measure.ts';
import { type Billed, moneyWords, monthName, percentOf } from './budget.ts';
import type { Level } from '../alerts/level.ts';
import { forecastOf, passesAtOf } from './forecast.ts';
import { type MonthSeen, type Reached, following, overBy } from './month-seen.ts';

/** What alerts of a month's budget say. `costs`: where a person is shown what costs most. */
export function budgetFace({ name, currency }: Billed, costs: Button): Face {
  const figureLines: Face['figureLines'] = (read) => {
    const seen = monthIn(read);
    return seen ? [usedWords(seen, currency)] : [];
  };
  const asOf: Face['asOf'] = (read) => {
    const seen = monthIn(read);
    return seen ? { note: say`As of ${time(seen.at)}` } : {};
  };
  return {
    about: BUDGET,
    matterLines: (_level, read) => {
      const seen = monthIn(read);
      return seen
        ? [headline(seen, currency), figureWords(seen, currency)]
        : [say`${ICONS.warn} The budget of this month is at risk.`];
    },
    figureLines,
    asOf,
    cures: [],
    remedies: () => [costs],
    details: [],
    overWords: ({ how, at, seen }) => {
      if (how !== 'month over') return say`⚪ ${overWords(how, at)}`;
      const month = seen ? monthName(seen.at) : 'The month';
      return say`🗓️ ${month} is over, and so is this alert.`;
    },
    recoveredWords: () => say`✅ The month is within its budget again.`,
    // Nothing is paused because the credit ran out that is paid afterwards.
    outageWords: () => say`The month goes on.`,
    unknownLines: (episode, seen) => [
      say`🙈 I haven't been able to read what this month costs since ${time(episode.openedAt)}.`,
      say`That doesn't mean that it costs nothing. Until I can, I can't warn you of the budget: look at the dashboard of ${name}.`,
      ...(monthIn(seen)
        ? [say`The last I saw, ${time(seen?.at ?? 0)}:`, ...figureLines(seen)]
        : [say`I have not seen what it costs yet.`]),
    ],
    seenAgainWords: say`I can read what this month costs again.`,
  };
}

function overWords(how: Exclude<Ending, 'month over'>, at: number): Phrase {
  switch (how) {
    case 'other thresholds':
    case 'another budget':
      return say`The budget was changed ${time(at)}; this alert is over.`;
    case 'no budget':
      return say`The budget was cleared ${time(at)}; this alert is over.`;
    case 'off':
      return say`Alerts were turned off ${time(at)}; this one is over.`;
    case 'recovered':
      return say`Over since ${time(at)}: the month is within its budget.`;
  }
}

/** What is the matter, as one whole sentence: notifications show only that. */
function headline(seen: MonthSeen, currency: string): Phrase {
  const { reached = [], at } = seen;
  const [soFar, budget] = amountsOf(seen);
  const month = monthName(at);
  const icon = ICONS[levelOfReached(reached)];
  if (reached.includes('all'))
    return say`${icon} ${strong(`${month} has used up its budget`)} of ${moneyWords(budget, currency)}: ${moneyWords(soFar, currency)} so far.`;
  const passesAt = passesAtOf(soFar, budget, at);
  const pace = passesAt === undefined ? [] : [say` At this pace it passes 100 % on ${day(passesAt)}.`];
  if (reached.includes('most'))
    return join(
      [say`${icon} ${strong(`${month} has used ${percentOf(soFar, budget)} % of its budget`)}.`, ...pace],
      '',
    );
  return passesAt === undefined
    ? say`${icon} ${strong(`${month} was about to pass its budget`)}; at the pace of now it stays within it.`
    : say`${icon} ${strong(`${month} will pass its budget`)} at this pace, on ${day(passesAt)}.`;
}

function usedWords(seen: MonthSeen, currency: string): Phrase {
  const [soFar, budget] = amountsOf(seen);
  return say`🧾 ${strong(moneyWords(soFar, currency))} of ${moneyWords(budget, currency)}`;
}

/** What the month has cost, of which budget, and what it comes to. */
export function figureWords(seen: MonthSeen, currency: string): Phrase {
  const [soFar] = amountsOf(seen);
  const forecast = forecastOf(soFar, seen.at);
  const used = say`${usedWords(seen, currency)} so far`;
  const pace = forecast
    ? [say`about ${moneyWords(forecast.amount, currency)} by ${day(forecast.until)} at this pace`]
    : [];
  return join([used, ...pace], ' · ');
}

function amountsOf({ monthSoFar, budget }: MonthSeen): [Amount, Amount] {
  return [parseAmount(monthSoFar) ?? ZERO, parseAmount(budget) ?? ZERO];
}

/** How a month is judged: by its budget, a decimal. Its level only rises, so that each thing reached is said once. */
export function budgetMeasure(budget: string): Measure {
  return {
    following: (read, last) => {
      const seen = monthIn(read);
      if (!seen) throw new Error('a balance is no month');
      return following(seen, monthIn(last), budget);
    },
    levelOf: (read) => {
      const seen = monthIn(read);
      return seen && levelOfReached(seen.reached ?? []);
    },
    overBy: (read, last) => {
      const seen = monthIn(read);
      // The service before this one was paid otherwise.
      return last && !monthIn(last) ? 'off' : seen && overBy(seen, monthIn(last), budget);
    },
    // Another budget ends the alert of the one before.
    isOtherThreshold: () => false,
    isNews: () => false,
    hasRisen: () => false,
    lowestOf: () => undefined,
    toShow: (seen) => seen,
  };
}

/** One of the two warnings, both of them, or all of the budget: each is worse than what led to it. */
function levelOfReached(reached: readonly Reached[]): Level {
  if (reached.includes('all')) return 'empty';
  return (['ok', 'warn', 'critical'] as const)[reached.length] ?? 'critical';
}
