import { type Amount, compare, formatAmount, ZERO } from '../../../core/money/amount.ts';
import { day, type Phrase, say, time, toPlainText } from '../../../platform/slack/phrase.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { counted } from '../../../core/money/counted.ts';
import { lastsWords } from '../balance/messages.ts';
import type { Reading } from '../balance/reading.ts';
import { tooFewWords } from '../forecast/messages.ts';
import { monthName } from '../postpaid/budget.ts';
import type { Expected } from '../range/expected.ts';
import type { Basis, CostRange } from '../range/range.ts';
import { basisWords, daysLeft, lacksWords } from '../range/words.ts';
import type { Effect } from './effect.ts';
import { changeWords } from './words.ts';

/** How it stands, or would: what is left, and what the month comes to where days tell that. */
export interface Outcome {
  readonly reading: Reading;
  readonly month: CostRange | undefined;
}

/** What is told of what was supposed. */
export interface Told {
  readonly now: Outcome;
  /** Undefined where the changes save more than all costs by the service, so that its figures contradict each other. */
  readonly after: Outcome | undefined;
  readonly effects: readonly Effect[];
  readonly basis: Basis | undefined;
  /** How many days have a figure. */
  readonly knownDays: number;
  /** How many of those that would be stopped or started together are protected. */
  readonly protectedCount: number;
  readonly remarks: readonly Phrase[];
  readonly unit: string;
  readonly buttons: Pick<Message, 'buttons' | 'menu'>;
}

/** `/billing what-if`: how long the balance would last, beside how long it does, and what each change brings. Pure. */
export function whatIfMessage(told: Told): Message {
  const { now, after, effects, basis, unit, buttons } = told;
  return {
    lines: [
      after ? outcomeWords(now.reading, after.reading, unit) : contradictionWords(),
      ...(basis ? lacksWords(basis) : [tooFewWords(told)]),
      ...(effects.some(isStop) ? [OF_A_STOP] : []),
      ...protectedLines(told),
      ...told.remarks,
    ],
    bullets: effects.map((effect) => changeWords(effect, unit)),
    ...(after ? { table: tableOf(now, after, told) } : {}),
    note: say`As of ${time(now.reading.asOf)}${basis ? say`, ${basisWords(basis)}` : say``}. Nothing has been changed.`,
    ...buttons,
  };
}

const OF_A_STOP = say`Of a stop I count all that the instance costs, without its add-ons. Some services charge for stopped instances too.`;

function isStop({ meant, changed }: Effect): boolean {
  return meant.does === 'stop' && changed.length > 0;
}

function contradictionWords(): Phrase {
  return say`I can't say how long the balance lasts with that: these changes save more than a day costs in all, as the service counts it.`;
}

function protectedLines({ protectedCount }: Told): readonly Phrase[] {
  if (protectedCount === 0) return [];
  const which = protectedCount === 1 ? '1 of them is' : `${protectedCount} of them are`;
  return [say`${which} protected: counted here, but stopped or started only one at a time.`];
}

/** "With that, the balance lasts until 12 to 19 December instead of until 3 to 8 December." */
function outcomeWords(now: Reading, after: Reading, unit: string): Phrase {
  const start = now.isToppedUp ? say`With that, and without automatic top-ups,` : say`With that,`;
  const [until, instead] = [untilWords(after), untilWords(now)];
  if (until && instead)
    return toPlainText(until) === toPlainText(instead)
      ? say`${start} the balance lasts as long as it does now: ${until}.`
      : say`${start} the balance lasts ${until} instead of ${instead}.`;
  return say`${start} the balance: ${lastsWords(after, unit)}. Now: ${lastsWords(now, unit)}.`;
}

/** The range that a reading has, where it is worth saying. */
function rangeOf({ runway: { lasts }, expected }: Reading): Expected | undefined {
  return lasts === 'days' || lasts === 'without end' || lasts === 'unknown' ? expected : undefined;
}

/** Until when it lasts, after "lasts"; undefined where no day says that. */
function untilWords(reading: Reading): Phrase | undefined {
  const expected = rangeOf(reading);
  const { runway } = reading;
  if (!expected) return runway.lasts === 'days' ? say`until about ${day(runway.emptyAt)}` : undefined;
  const { first, last, today } = expected;
  // Noon, so that it is the same day nearly everywhere.
  const on = (left: number): Phrase => say`${day(today + left * DAY_MS + DAY_MS / 2)}`;
  if (first === undefined) return say`for more than two years`;
  if (last === undefined) return say`at least until ${on(first)}`;
  return first === last ? say`until ${on(first)}` : say`until ${on(first)} to ${on(last)}`;
}

function tableOf(now: Outcome, after: Outcome, { unit, effects }: Told): NonNullable<Message['table']> {
  const both = (cell: (one: Outcome) => string): string[] => [cell(now), cell(after)];
  const isToppedUp = effects.some(({ topUp }) => compare(topUp, ZERO) > 0);
  const hasMonth = now.month !== undefined && after.month !== undefined;
  return {
    head: ['What', 'Now', 'With that'],
    rows: [
      ...(isToppedUp ? [['Balance', ...both(({ reading }) => counted(reading.balance, unit))]] : []),
      ['Lasts', ...both(({ reading }) => lastsCell(reading))],
      ['A day costs', ...both(({ reading: { perDay } }) => amountCell(perDay, unit))],
      ...(hasMonth
        ? [[`${monthName(now.reading.asOf)} comes to`, ...both(({ month }) => monthCell(month, unit))]]
        : []),
    ],
    numbers: [],
  };
}

function amountCell(amount: Amount | undefined, unit: string): string {
  return amount ? counted(amount, unit) : 'unknown';
}

function monthCell(month: CostRange | undefined, unit: string): string {
  if (!month) return 'unknown';
  const { least, likely, most } = month;
  if (compare(least, most) === 0) return `about ${counted(likely, unit)}`;
  return `${formatAmount(least)} to ${counted(most, unit)} (likely ${formatAmount(likely)})`;
}

function lastsCell(reading: Reading): string {
  const expected = rangeOf(reading);
  const { runway } = reading;
  if (expected) {
    const { first, likely, last } = expected;
    if (first === undefined) return 'more than two years';
    if (last === undefined) return `at least ${daysLeft(first)}`;
    if (last === 0) return 'less than a day';
    if (first === last) return `about ${daysLeft(first)}`;
    return `${first} to ${daysLeft(last)}${likely === undefined ? '' : ` (likely ${likely})`}`;
  }
  switch (runway.lasts) {
    case 'days':
      return runway.days === 0 ? 'less than a day' : `about ${daysLeft(runway.days)}`;
    case 'empty':
      return 'nothing is left';
    case 'free':
      return 'nothing costs anything';
    case 'without end':
      return 'years';
    default:
      return 'unknown';
  }
}
