import { type Amount, compare, formatAmount, parseAmount, sum, ZERO } from '../../../core/money/amount.ts';
import { pageMessage } from '../../../core/lists/page.ts';
import { counted } from '../../../core/money/counted.ts';
import type { AtZero, InstanceList } from '../../../platform/hosting/service.ts';
import { type Button, type Message, twoAndMenu } from '../../../platform/slack/message.ts';
import { MAX_ROWS } from '../../../platform/slack/figures.ts';
import { day, join, type Phrase, plain, say, strong, time } from '../../../platform/slack/phrase.ts';
import { apartLines, atStake, canBuyTime, stakeLines, whyFree } from './at-zero.ts';
import type { Reading } from './reading.ts';
import { expectedWords } from '../range/words.ts';
import { barsOf } from '../usage/bars.ts';
import { totalOf, type UsageLine } from '../usage/lines.ts';

export const USAGE_ROUTE = 'billing.usage';

const usageButton = (by: 'instance' | 'addon'): Button => ({
  label: by === 'addon' ? 'By add-on' : 'Usage',
  routeId: USAGE_ROUTE,
  value: by,
});
const transactionsButton: Button = {
  label: 'Transactions',
  routeId: 'billing.transactions',
  value: 'newest',
};

/** The balance, how long it lasts, and what happens then by the rules of the host. `list`: of instances; undefined where it couldn't be read. */
export function balanceMessage(
  reading: Reading,
  list: InstanceList | undefined,
  {
    unit,
    atZero,
    topUp,
  }: {
    readonly unit: string;
    readonly atZero: AtZero | undefined;
    /** Opens the page where credit is bought. */
    readonly topUp: readonly Button[];
  },
): Message {
  const stake = atStake(list);
  const buyTime = { label: 'Buy time', routeId: 'billing.buy-time', value: 'now' };
  return {
    lines: [
      ...(whyFree(reading, stake) === 'paused' ? [allPausedWords] : []),
      fundsWords(reading, unit, whyFree(reading, stake)),
      ...stakeLines(reading, atZero, stake),
      ...apartLines(list),
    ],
    note: say`As of ${time(reading.asOf)}`,
    ...twoAndMenu(
      [...topUp, usageButton('instance'), ...(canBuyTime(reading, stake) ? [buyTime] : [])],
      [
        transactionsButton,
        { label: 'Alerts', routeId: 'billing.alerts', value: 'now' },
        { label: 'Share', routeId: 'billing.share', value: 'now' },
      ],
    ),
  };
}

/** That nothing is left running, as one whole sentence. */
export const allPausedWords = say`⛔ ${strong('Everything is paused')}: the balance does not pay for it any more.`;

/** What is left, what a day costs, how long it lasts. `why`: it costs nothing, where that is known. */
export function fundsWords(reading: Reading, unit: string, why?: ReturnType<typeof whyFree>): Phrase {
  const lasts = reading.isToppedUp && why === undefined ? withoutTopUpWords(reading) : undefined;
  return join([leftWords(reading, unit), lasts ?? lastsOrWhy(reading, unit, why)], ' · ');
}

/** How long it would last if nothing came; undefined where that can't be told. That something comes is nothing to promise. */
function withoutTopUpWords({ runway }: Reading): Phrase | undefined {
  if (runway.lasts !== 'days') return undefined;
  const { days, emptyAt } = runway;
  const long = days === 0 ? 'less than a day' : days === 1 ? 'about 1 day' : `about ${days} days`;
  return say`it is topped up automatically; without that it would last ${long}, until ${day(emptyAt)}`;
}

/** How long it lasts, in half a sentence; where nothing costs anything, why. */
export function lastsOrWhy(reading: Reading, unit: string, why: ReturnType<typeof whyFree>): Phrase {
  if (why === 'paused') return say`nothing that it pays for is running`;
  if (why === 'nothing runs') return say`nothing runs`;
  return why === 'unknown'
    ? say`maybe everything is paused; I couldn't read the list of instances`
    : lastsWords(reading, unit);
}

/** What is left and what a day costs, beside a sentence that says how long that lasts. */
export function leftWords({ balance, perDay, runway }: Reading, unit: string): Phrase {
  const isSaidThere = perDay === undefined || runway.lasts === 'negative cost';
  const cost = isSaidThere ? [] : [say`${counted(perDay, unit)} a day`];
  return join([say`💰 ${strong(counted(balance, unit))}`, ...cost], ' · ');
}

/** How long it lasts, in half a sentence. `unit`: how credits are called. */
export function lastsWords(
  { runway, expected, perDay = ZERO }: Pick<Reading, 'runway' | 'perDay' | 'expected'>,
  unit: string,
): Phrase {
  const isLikely = runway.lasts === 'days' || runway.lasts === 'without end' || runway.lasts === 'unknown';
  if (expected && isLikely) return expectedWords(expected);
  switch (runway.lasts) {
    case 'empty':
      return say`nothing is left`;
    case 'free':
      return say`nothing costs anything right now`;
    case 'negative cost':
      return say`the service reports a negative cost of ${counted(perDay, unit)} a day, so how long it lasts is unknown`;
    case 'without end':
      return say`it lasts for years at today's cost`;
    case 'unknown':
      return say`the service does not say what a day costs, so I don't know how long it lasts`;
    case 'days': {
      const days = runway.days === 1 ? '1 day' : `${runway.days} days`;
      const left = runway.days === 0 ? say`less than a day left` : say`about ${days} left`;
      return say`${left}, empty ${day(runway.emptyAt)}`;
    }
  }
}

interface UsageAsked {
  readonly by: 'instance' | 'addon';
  readonly unit: string;
  readonly total: Amount | undefined;
  /** What add-ons cost a day, beside instances; undefined where that isn't known of all. */
  readonly addons: Amount | undefined;
  readonly asOf: number;
  /** Where the page begins, and what its buttons carry. */
  readonly from: number;
  readonly listId: string | undefined;
}

/** What a day costs, page by page, as a chart and a table: what comes after a page is summed up in its last row. */
export function usageMessage(lines: readonly UsageLine[], asked: UsageAsked): Message {
  const { from, listId } = asked;
  const paged = { count: lines.length, from, perPage: MAX_ROWS - 1, routeId: USAGE_ROUTE, listId };
  return pageMessage(paged, (start, shown) => usageTable(lines, asked, start, shown));
}

function usageTable(
  lines: readonly UsageLine[],
  { by, unit, total, addons, asOf }: UsageAsked,
  from: number,
  count: number,
): Message {
  const other: Button =
    by === 'addon' ? { ...usageButton('instance'), label: 'By instance' } : usageButton('addon');
  const buttons = [other, transactionsButton];
  const things = by === 'addon' ? 'add-ons' : 'instances';
  if (lines.length === 0) return { lines: [say`There are no ${things} that cost anything.`], buttons };
  const { total: known, isWhole } = totalOf(lines);
  const atLeast = isWhole ? '' : 'at least ';
  const differs = total && by === 'instance' && compare(total, known) !== 0;
  const shown = lines.slice(from, from + count);
  const rest = lines.slice(from + count);
  const others = totalOf(rest);
  const cells = (line: UsageLine): string[] => [
    line.id === undefined || line.id === '' ? line.name : `${line.name} (${plain(line.id, 20)})`,
    line.perDay ? formatAmount(line.perDay) : 'unknown',
    line.state === undefined ? '' : plain(line.state.replaceAll('_', ' '), 30),
  ];
  const othersRow =
    rest.length === 0
      ? []
      : [[`${rest.length} others`, `${others.isWhole ? '' : 'at least '}${formatAmount(others.total)}`, '']];
  const bars = barsOf(lines.map(({ name, perDay }) => ({ name, amount: perDay })));
  return {
    lines: [
      say`${by === 'addon' ? 'Add-ons' : 'Instances'} cost ${strong(`${atLeast}${counted(known, unit)}`)} a day, most expensive first:`,
      ...(differs ? [differenceWords(known, total, addons, unit)] : []),
      ...(count < lines.length ? [say`${from + 1} to ${from + count} of ${lines.length}:`] : []),
      ...(rest.length === 0
        ? []
        : [
            say`${rest.length} that cost less${others.isWhole ? '' : ', or whose cost is unknown,'} are summed up as others.`,
          ]),
    ],
    ...(bars.length > 1 && from === 0 ? { chart: { title: `${unit} a day by ${by}`, bars } } : {}),
    table: {
      head: [by === 'addon' ? 'Add-on' : 'Instance', `${unit} a day`, 'State'],
      rows: [...shown.map(cells), ...othersRow],
      numbers: [1],
    },
    note: say`As of ${time(asOf)}`,
    buttons,
  };
}

/** Where the rest of the service's own sum is, as far as it says. */
function differenceWords(known: Amount, total: Amount, addons: Amount | undefined, unit: string): Phrase {
  const all = counted(total, unit);
  return addons && compare(sum([known, addons]), total) === 0
    ? say`Add-ons cost another ${counted(addons, unit)}, so it is ${all} a day in all.`
    : say`The service counts ${all} a day in all, and doesn't say what else is in it.`;
}

/** An amount that is added or taken: "+5,000", "-105"; undefined where nobody could read it. */
export function signed(decimal: string | undefined): string {
  if (decimal === undefined) return "can't be read";
  const amount = parseAmount(decimal);
  if (!amount) return plain(decimal, 20);
  return `${compare(amount, ZERO) > 0 ? '+' : ''}${formatAmount(amount)}`;
}
