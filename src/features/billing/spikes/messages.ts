import {
  type Amount,
  compare,
  formatAmount,
  sum,
  subtract,
  timesIn,
  ZERO,
  counted,
} from '../../../core/money/amount.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { join, person, type Phrase, plain, say, strong } from '../../../platform/slack/phrase.ts';
import type { ToldSpike } from '../ledger/day.ts';
import { calledIn, noteOf } from '../month/messages.ts';
import { dayName, monthName } from '../month/month-words.ts';
import type { Change } from '../why/explain.ts';
import { explanationLines } from '../why/messages.ts';
import type { JudgedDay } from './judge.ts';

export const EXPECTED_ROUTE = 'billing.spike-expected';

/** Somebody had the bot start an instance. */
export interface Started {
  readonly id: string;
  readonly userId: string;
}

/** What is told once of a day that cost far more than its kind does: its cause, and what isn't one. */
export function spikeMessage(judged: JudgedDay, unit: string, started: readonly Started[]): Message {
  const { day, usual, explanation, names, asOf } = judged;
  const before = dayName(usual.day);
  const compared = { now: dayName(day), before, whole: before, in: 'on' as const };
  const kind = usual.isOfWeekday ? weekdayName(day) : 'day';
  return {
    lines: [
      judged.once.length > 0 ? onceHeadline(judged, unit) : headline(judged, unit, kind),
      ...startedLines(judged, started),
      ...notLines(judged, unit),
      say`Against ${before}, a usual ${kind}:`,
    ],
    bullets: explanationLines(explanation, { names, compared, unit }),
    note: noteOf({ asOf }),
    buttons: [{ label: "It's expected", routeId: EXPECTED_ROUTE, value: day }],
  };
}

function headline({ day, cost, usual, isAtLeast }: JudgedDay, unit: string, kind: string): Phrase {
  const sentence = `${fullName(day)} cost ${isAtLeast ? 'at least ' : ''}${counted(cost, unit)}`;
  if (compare(usual.cost, ZERO) <= 0)
    return say`📈 ${strong(`${sentence}, far more than usual.`)} A usual ${kind} costs nothing.`;
  return say`📈 ${strong(`${sentence}, ${timesWords(cost, usual.cost)} as much as usual.`)} A usual ${kind} costs about ${counted(usual.cost, unit)}.`;
}

/** A charge that the day would have been as usual without is no use that has grown. */
function onceHeadline({ day, cost, once, isAtLeast }: JudgedDay, unit: string): Phrase {
  const amount = sum(once.map((one) => one.amount));
  const rest = counted(subtract(cost, amount), unit);
  const what = join(
    once.flatMap((one) => typeOf(one)),
    ' and ',
  );
  return say`🧾 ${strong(`${fullName(day)} cost ${counted(amount, unit)} more than usual, for`)} ${what}. Without that it cost ${isAtLeast ? 'at least ' : ''}${rest}, about as usual.`;
}

function typeOf({ cause }: Change): Phrase[] {
  return cause.kind === 'type' ? [say`${plain(cause.type.replaceAll('_', ' '), 60)}`] : [];
}

function startedLines({ names }: JudgedDay, started: readonly Started[]): Phrase[] {
  return started.map(
    ({ id, userId }) =>
      say`${person(userId)} had me start ${calledIn({ id, name: names.get(id) ?? '' })} that day.`,
  );
}

/** What of it is no spike, and that prices of instances are none, as far as that is known. */
function notLines({ aside, areSamePrices }: JudgedDay, unit: string): Phrase[] {
  const of = (amount: Amount, words: string): Phrase[] =>
    compare(amount, ZERO) > 0 ? [say`${counted(amount, unit)} of it ${words}.`] : [];
  const said = [
    ...(areSamePrices ? [say`Prices of instances are unchanged.`] : []),
    ...of(aside.late, 'was missing on the days before'),
    ...of(aside.monthly, 'came a month before as well'),
    ...of(aside.expected, 'is expected, as somebody has answered'),
  ];
  return said.length === 0 ? [] : [join(said, ' ')];
}

/** A spike that somebody expected, in place of what was told. `cost`: of the day. */
export function expectedMessage(
  day: string,
  { from }: ToldSpike,
  {
    cost,
    unit,
    by,
    month,
  }: { readonly cost: Amount; readonly unit: string; readonly by: string; readonly month: string },
): Message {
  return {
    lines: [
      say`📈 ${strong(`${fullName(day)} cost ${counted(cost, unit)}.`)} ${person(by)} expected it. ${quietWords(from, { cost, unit, month })}`,
    ],
  };
}

/** What nothing more is told of, as a sentence. `month`: as in "2026-10". */
export function quietWords(
  from: ToldSpike['from'],
  { cost, unit, month }: { readonly cost: Amount; readonly unit: string; readonly month: string },
): Phrase {
  if (from.length === 0)
    return say`I tell of no day in ${monthName(month)} that costs ${formatAmount(cost)} ${unit} or less.`;
  const what = from.map((one) =>
    'id' in one ? say`${calledIn(one)}` : say`${plain(one.type.replaceAll('_', ' '), 60)}`,
  );
  return say`I tell nothing more of what ${join(what, ', ')} ${from.length === 1 ? 'costs' : 'cost'} in ${monthName(month)}.`;
}

function timesWords(cost: Amount, usual: Amount): string {
  const tenths = timesIn(cost, usual, 10);
  return `${formatAmount({ units: tenths, scale: 1 })} times`;
}

const WEEKDAY = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });

function weekdayName(day: string): string {
  return WEEKDAY.format(Date.parse(`${day}T00:00:00Z`));
}

/** "Thursday 19 November". */
function fullName(day: string): string {
  return `${weekdayName(day)} ${dayName(day)}`;
}
