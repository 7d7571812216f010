import { closest } from '../../../core/ask/closest.ts';
import { withInPlaceOf } from '../../../core/ask/mend-words.ts';
import type { Costed } from '../../../core/instances/cost-filter.ts';
import { groupsBy } from '../../../core/policy/sections.ts';
import { Refusal } from '../../../core/refusal.ts';
import { HostingError, isDown } from '../../../platform/hosting/hosting-error.ts';
import { isNotOffered } from '../../../platform/hosting/offered.ts';
import { type Phrase, say, strong, time } from '../../../platform/slack/phrase.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { asOneDay, NOT_LISTED } from '../ledger/charges.ts';
import { dayAt, startOf } from '../ledger/day.ts';
import { daysOfMonth } from '../month/compared.ts';
import { figuresOf, type MonthFigures } from '../month/figures.ts';
import type { MonthSource, TellableMonth } from '../month/month.ts';
import { type AskedMonth, dayName, isByLabel, labelIn, lastOf, monthName } from '../month/month-words.ts';
import { explainItems } from '../why/explain.ts';
import { type Billed, moneyWords } from './budget.ts';
import {
  type ChargedMonth,
  chargedMonth,
  comparedWith,
  named,
  type Invoiced,
  invoicedFor,
} from './charged-month.ts';
import { billsButton } from './bills.ts';
import { readCharges } from './read-month.ts';
import type { Postpaid } from '../billing.ts';

/** The months of what is paid afterwards, by the readings that the ledger has of them and by invoices. */
export function chargedMonths(deps: Postpaid): MonthSource {
  return {
    permission: 'billing:read',
    tellsLabels: true,
    onward: async () => (deps.hosting.about.offers.bills ? billsButton : undefined),
    tell: (asked, _ask, now) => tell(deps, asked, now),
  };
}

/** What is told of a month. Throws a Refusal where nothing of it was read. */
async function tell(deps: Postpaid, asked: AskedMonth, now: number): Promise<TellableMonth> {
  const { billed, costGroups } = deps;
  const { month, by } = asked;
  const { days, earlier, isOver } = await daysOfMonth(deps.days, month, now);
  const invoiced = isOver ? await readInvoiced(deps, month) : 'none';
  const read = chargedMonth(days, earlier, isOver);
  const isRead = isOver || read?.newest.day === dayAt(now - DAY_MS);
  const charged = isRead ? read : await readNow(deps, now, read);
  if (!charged) throw notRead(deps, month, invoiced);
  if (isByLabel(by)) refuseUnknownKey(by, [charged.newest, ...(charged.before ? [charged.before] : [])]);
  const figures = figuresOf(
    [charged.newest],
    charged.before ? [charged.before] : [],
    by,
    { maySee: () => true, mayKnowAdded: false },
    isByLabel(by) ? byLabel(labelIn(by)) : groupsBy(costGroups()),
  );
  const lines = by === 'instance' ? named(figures.lines) : figures.lines;
  return {
    figures: { ...figures, lines, gaps: isOver ? unreadEnd(charged.newest.day, lastOf(month)) : [] },
    daysOver: isOver ? undefined : Number(charged.newest.day.slice(8)),
    isCompared: charged.before !== undefined,
    since: undefined,
    hasBefore: earlier.some(({ record }) => record.charges),
    isAll: true,
    head: 'Instance or item',
    caveats: caveatsOf(asked, charged, { isOver, isLive: charged !== read, invoiced, billed }),
    note: say`From what ${billed.name} said that the month had cost, as of ${time(figures.asOf ?? now)}. Months are in UTC.`,
    // Which of what the service lists costs more or less than a month before.
    why: () => ({
      explanation: explainItems(lines),
      names: new Map(lines.map(({ id = '', name }) => [id, name])),
    }),
  };
}

/** The days of a month after the one that was read last. */
function unreadEnd(newest: string, last: string): MonthFigures['gaps'] {
  return newest === last ? [] : [[dayAt(startOf(newest) + DAY_MS), last]];
}

/** Throws a Refusal for a label that nothing had which is charged for, where something had another. Who reads the month may see all of it. */
function refuseUnknownKey(by: `label:${string}`, days: readonly ChargedMonth['newest'][]): void {
  const labels = days.flatMap(({ record }) =>
    Object.values(record.charges?.instances ?? {}).flatMap((one) => one.labels ?? []),
  );
  const keys = [...new Set(labels.map(keyOf))].toSorted();
  if (keys.length === 0 || keys.includes(labelIn(by))) return;
  const near = closest(labelIn(by), keys);
  const those = near === undefined ? keys.slice(0, MOST_OFFERED) : [near];
  const which = those.map((key) => `by label:${key}`).join(', ');
  const hint = near === undefined ? say`There is ${which}.` : say`Did you mean ${which}?`;
  throw new Refusal(
    'bad-argument',
    say`Nothing that was charged for had the label "${labelIn(by)}". ${hint}`,
    withInPlaceOf(by, ...those.map((key) => `label:${key}`)),
  );
}

const MOST_OFFERED = 3;

function keyOf(label: string): string {
  return label.replace(/[=:].*$/su, '').toLowerCase();
}

/** What an instance counts in by a label: `web` for `team=web` and `team:web`, the key itself for a label without a value. */
function byLabel(key: string): (instance: Costed) => string | undefined {
  return ({ labels = [] }) => {
    const found = labels.find((label) => keyOf(label) === key);
    return found === undefined ? undefined : found.slice(key.length + 1) || key;
  };
}

/** The month as it stands now, where the day before wasn't read to its end; what was read last, where that can't be told now. */
async function readNow(
  { hosting }: Postpaid,
  now: number,
  last: ChargedMonth | undefined,
): Promise<ChargedMonth | undefined> {
  try {
    const charges = await readCharges(hosting, now);
    return charges && { newest: asOneDay(dayAt(now), charges), before: undefined };
  } catch (error) {
    if (!last || !isDown(error)) throw error;
    return last;
  }
}

/** What was invoiced for it. The readings are worth showing without it, where it can't be read just now. */
async function readInvoiced({ hosting }: Postpaid, month: string): Promise<Invoiced | 'none' | 'unread'> {
  try {
    return invoicedFor(month, await hosting.listBills());
  } catch (error) {
    if (!(error instanceof HostingError)) throw error;
    return isNotOffered(error) ? 'none' : 'unread';
  }
}

function caveatsOf(
  { month }: AskedMonth,
  { newest: { day, record }, before }: ChargedMonth,
  {
    isOver,
    isLive,
    invoiced,
    billed: { name, currency },
  }: { isOver: boolean; isLive: boolean; invoiced: Invoiced | 'none' | 'unread'; billed: Billed },
): Phrase[] {
  const [product, ...products] = Object.keys(record.booked?.used ?? {});
  const isSumOnly = product === NOT_LISTED && products.length === 0;
  const than = comparedWith(day);
  const isFirst = day.endsWith('-01');
  const isPart = isOver && day !== lastOf(month);
  const lacks = isLive ? 'yesterday' : dayName(isPart ? lastOf(month) : than);
  const why = isLive && isFirst ? 'no day of it is over yet' : `I have no reading of the end of ${lacks}`;
  return [
    ...(isOver
      ? [invoicedWords(invoiced, currency)]
      : [say`That is not final: ${name} bills a month once it is over.`]),
    ...(isLive && isFirst
      ? [say`On the first of a month it may still be what the month before has cost.`]
      : []),
    ...(isPart ? [say`I read it last on ${dayName(day)}: what came after that is in no sum.`] : []),
    ...(isSumOnly ? [say`${name} gave only the sum of it, so I know none of its parts.`] : []),
    ...(before ? [] : [say`I can't compare it with ${monthName(than.slice(0, 7))}: ${why}.`]),
  ];
}

function invoicedWords(invoiced: Invoiced | 'none' | 'unread', currency: string): Phrase {
  if (invoiced === 'unread') return say`I can't read its invoice just now.`;
  if (invoiced === 'none') return say`I found no invoice for it.`;
  const { amount, count, at, isPart } = invoiced;
  const sum = strong(moneyWords(amount, currency));
  const day = dayAt(at);
  const more = isPart ? say` There may be another, which I can't read.` : '';
  return count === 1
    ? say`The invoice of ${dayName(day)} ${day.slice(0, 4)} comes to ${sum}.${more}`
    : say`The ${count} invoices of the month after come to ${sum}.${more}`;
}

/** What is said of a month that was not read: its invoice, if there is one. */
function notRead(
  { billed: { currency }, details }: Postpaid,
  month: string,
  invoiced: Invoiced | 'none' | 'unread',
): Refusal {
  return new Refusal('no-figures', {
    lines: [
      say`I have no readings of ${monthName(month)}, so I know no days and no parts of it.`,
      invoicedWords(invoiced, currency),
    ],
    buttons: details,
  });
}
