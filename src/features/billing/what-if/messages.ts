import { type Amount, compare, formatAmount, ZERO, counted, negate } from '../../../core/money/amount.ts';
import { day, type Phrase, say, time, toPlainText, join, strong } from '../../../platform/slack/phrase.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { lastsWords } from '../balance/messages.ts';
import type { Reading } from '../balance/reading.ts';
import { tooFewWords } from '../forecast/messages.ts';
import { monthName } from '../postpaid/budget.ts';
import { type Expected, basisWords, daysLeft, lacksWords } from '../range/expected.ts';
import type { Basis, CostRange } from '../range/range.ts';
import type { Effect, Idle, Meant, Priced } from './effect.ts';
import { addonName } from '../../../core/lookup/addon.ts';
import { namesOf } from '../balance/at-zero.ts';

/** Why it changes nothing for one, and for several. */
const IDLE: Readonly<Record<Idle, readonly [one: string, several: string]>> = {
  'stopped already': ['is stopped already', 'are stopped already'],
  'runs already': ['is running already', 'are running already'],
  'not possible now': [
    "can't be changed like that as it is now",
    "can't be changed like that as they are now",
  ],
  'deleted by then': ['is deleted by then', 'are deleted by then'],
  'not paid by the day': ["isn't paid by the day", "aren't paid by the day"],
  'has it already': ['has it already', 'have it already'],
  'has none': ['has no such add-on', 'have no such add-on'],
  'has several': ['has several of them, and an id says which', 'have several of them, and an id says which'],
};

/** What one change brings: "Stop web-1 (101): saves 95 credits a day." Pure. */
function changeWords(effect: Effect, unit: string): Phrase {
  const { meant, changed, topUp } = effect;
  if (meant.does === 'top up') return say`Top up: ${strong(counted(topUp, unit))} more.`;
  const brings = changed.length === 0 ? say`nothing changes.` : bringsWords(effect, unit);
  return join([say`${doingWords(meant, changed)}: ${brings}`, ...idleWords(effect)], ' ');
}

function doingWords(meant: Exclude<Meant, { does: 'top up' }>, those: readonly Priced[]): Phrase {
  const isNone = those.length === 0;
  switch (meant.does) {
    case 'stop':
      return isNone ? say`Stop` : say`Stop ${namesIn(those)}`;
    case 'start':
      return isNone ? say`Start` : say`Start ${namesIn(those)}`;
    case 'delete':
      return isNone ? say`Delete` : say`Delete ${namesIn(those)}`;
    case 'add':
      return isNone ? say`Add ${addonName(meant)}` : say`Add ${addonName(meant)} to ${namesIn(those)}`;
    case 'remove':
      return isNone
        ? say`Remove ${addonName(meant)}`
        : say`Remove ${addonName(meant)} from ${namesIn(those)}`;
  }
}

function namesIn(those: readonly Priced[]): Phrase {
  return namesOf({ named: those.map(({ instance }) => instance), count: those.length });
}

function bringsWords({ perDay, changed, unknown }: Effect, unit: string): Phrase {
  if (unknown.length === changed.length) return say`what that changes is unknown, so it isn't counted.`;
  const lacking =
    unknown.length === 0 ? say`` : say` Not counted: ${namesIn(unknown)}, whose cost is unknown.`;
  switch (compare(perDay, ZERO)) {
    case -1:
      return say`saves ${strong(counted(negate(perDay), unit))} a day.${lacking}`;
    case 1:
      return say`costs ${strong(counted(perDay, unit))} a day more.${lacking}`;
    case 0:
      return say`a day costs the same.${lacking}`;
  }
}

/** Those for which it changes nothing, and why, as sentences. */
function idleWords({ idle, changed }: Effect): readonly Phrase[] {
  return [...new Set(idle.map(({ why }) => why))].map((why) => {
    const those = idle.filter((each) => each.why === why);
    const names = namesIn(those.map(({ priced }) => priced));
    const so = changed.length > 0 ? say`, so nothing changes there` : say``;
    const [one, several] = IDLE[why];
    return say`${names} ${those.length === 1 ? one : several}${so}.`;
  });
}

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
