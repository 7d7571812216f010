import { type Amount, compare, formatAmount, parseAmount, ZERO } from '../credits/amount.ts';
import { counted } from '../credits/counted.ts';
import type { Instance } from '../hosting/service.ts';
import { type Button, type Message, shownOf } from '../slack/message.ts';
import { MOST_BARS, MOST_ROWS } from '../slack/figures.ts';
import { day, join, type Phrase, plain, say, strong, time } from '../slack/phrase.ts';
import { nameOf } from '../targets/messages.ts';
import type { Reading } from './reading.ts';
import { totalOf, type UsageLine } from './usage-lines.ts';

const MOST_NAMED = 5;

const usageButton = (by: 'instance' | 'addon'): Button => ({
  label: by === 'addon' ? 'By add-on' : 'Usage',
  routeId: 'billing.usage',
  value: by,
});
const transactionsButton: Button = {
  label: 'Transactions',
  routeId: 'billing.transactions',
  value: 'newest',
};

/** The balance, how long it lasts, and what happens then to what runs. */
export function balanceMessage(reading: Reading, instances: readonly Instance[], unit: string): Message {
  const running = instances.filter(({ status }) => status === 'running');
  const paused = instances.filter(({ status }) => status === 'paused');
  return {
    lines: [fundsWords(reading, unit), ...atZero(reading, running, running.length), ...pausedWords(paused)],
    note: say`As of ${time(reading.asOf)}`,
    buttons: [
      usageButton('instance'),
      transactionsButton,
      { label: 'Alerts', routeId: 'billing.alerts', value: 'now' },
      { label: 'Share', routeId: 'billing.share', value: 'now' },
    ],
  };
}

/** What is left, what a day costs, how long it lasts. */
export function fundsWords(reading: Reading, unit: string): Phrase {
  return join([leftWords(reading, unit), lastsWords(reading)], ' · ');
}

/** What is left and what a day costs, beside a sentence that says how long that lasts. */
export function leftWords({ balance, perDay }: Reading, unit: string): Phrase {
  const cost = perDay === undefined ? [] : [say`${counted(perDay, unit)} a day`];
  return join([say`💰 ${strong(counted(balance, unit))}`, ...cost], ' · ');
}

/** How long it lasts, in half a sentence. */
export function lastsWords({ runway }: Pick<Reading, 'runway'>): Phrase {
  switch (runway.lasts) {
    case 'empty':
      return say`nothing is left`;
    case 'free':
      return say`nothing costs anything just now`;
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

/** What the host does at zero. `running`: what pauses then, or the first of it; `count`: how much that is. */
export function atZero(
  { runway }: Pick<Reading, 'runway'>,
  running: readonly Pick<Instance, 'id' | 'name'>[],
  count: number,
): Phrase[] {
  if (running.length === 0) return [];
  const names = namesOf(running, count);
  const when =
    runway.lasts === 'empty' ? say`Now that it is empty, the host pauses` : say`At zero the host pauses`;
  return [say`${when} what runs, and after some days deletes what is paused: ${names}.`];
}

/** What the host has paused already: left so, it goes. */
function pausedWords(paused: readonly Instance[]): Phrase[] {
  if (paused.length === 0) return [];
  return [say`Paused just now, and deleted by the host if they stay so: ${namesOf(paused, paused.length)}.`];
}

/** The first few by name and id; `count`: how many there are. */
function namesOf(instances: readonly Pick<Instance, 'id' | 'name'>[], count: number): Phrase {
  const named = instances.slice(0, MOST_NAMED).map(nameOf);
  const left = count - named.length;
  return left > 0 ? say`${join(named, ', ')} and ${left} more` : join(named, ', ');
}

interface UsageAsked {
  readonly by: 'instance' | 'addon';
  readonly unit: string;
  readonly total: Amount | undefined;
  readonly asOf: number;
}

/** What a day costs, as a chart and a table: what has no room in the table is summed up in its last row. */
export function usageMessage(lines: readonly UsageLine[], asked: UsageAsked): Message {
  const message = usageTable(lines, asked, MOST_ROWS);
  const { rows } = shownOf(message);
  return rows < (message.table?.rows.length ?? 0) ? usageTable(lines, asked, rows) : message;
}

function usageTable(
  lines: readonly UsageLine[],
  { by, unit, total, asOf }: UsageAsked,
  maxRows: number,
): Message {
  const other: Button =
    by === 'addon' ? { ...usageButton('instance'), label: 'By instance' } : usageButton('addon');
  const buttons = [other, transactionsButton];
  const things = by === 'addon' ? 'add-ons' : 'instances';
  if (lines.length === 0) return { lines: [say`There are no ${things} that cost anything.`], buttons };
  const { total: known, isWhole } = totalOf(lines);
  const atLeast = isWhole ? '' : 'at least ';
  const differs = total && by === 'instance' && compare(total, known) !== 0;
  const shown = lines.slice(0, maxRows - 1);
  const rest = lines.slice(maxRows - 1);
  const others = totalOf(rest);
  const cells = (line: UsageLine): string[] => [
    line.id === undefined || line.id === '' ? line.name : `${line.name} (${plain(line.id, 20)})`,
    line.perDay ? formatAmount(line.perDay) : 'not told',
    line.state === undefined ? '' : plain(line.state.replaceAll('_', ' '), 30),
  ];
  const othersRow =
    rest.length === 0
      ? []
      : [[`${rest.length} others`, `${others.isWhole ? '' : 'at least '}${formatAmount(others.total)}`, '']];
  const bars = barsOf(lines);
  return {
    lines: [
      say`${by === 'addon' ? 'Add-ons' : 'Instances'} cost ${strong(`${atLeast}${counted(known, unit)}`)} a day, the dearest first:`,
      ...(differs ? [say`All in all the service counts ${counted(total, unit)} a day.`] : []),
      ...(rest.length === 0
        ? []
        : [
            say`${rest.length} that cost less${others.isWhole ? '' : ', or whose cost is not told,'} are summed up as others.`,
          ]),
    ],
    ...(bars.length > 1 ? { chart: { title: `${unit} a day by ${by}`, bars } } : {}),
    table: {
      head: [by === 'addon' ? 'Add-on' : 'Instance', `${unit} a day`, 'State'],
      rows: [...shown.map(cells), ...othersRow],
      numbers: [1],
    },
    note: say`As of ${time(asOf)}`,
    buttons,
  };
}

/** The dearest as bars, the rest as one; only a picture, so here a float will do. */
function barsOf(lines: readonly UsageLine[]): { label: string; value: number }[] {
  const costly = lines.filter(({ perDay }) => perDay && compare(perDay, ZERO) > 0);
  const value = (amount: Amount): number => Number(formatAmount(amount).replaceAll(',', ''));
  const shown = costly.slice(0, MOST_BARS - 1);
  const rest = costly.slice(MOST_BARS - 1);
  return [
    ...shown.map(({ name, perDay }) => ({ label: name, value: value(perDay ?? ZERO) })),
    ...(rest.length === 0 ? [] : [{ label: `${rest.length} others`, value: value(totalOf(rest).total) }]),
  ];
}

/** An amount that is added or taken: "+5,000", "-105"; undefined where nobody could read it. */
export function signed(decimal: string | undefined): string {
  if (decimal === undefined) return "can't be read";
  const amount = parseAmount(decimal);
  if (!amount) return plain(decimal, 20);
  return `${compare(amount, ZERO) > 0 ? '+' : ''}${formatAmount(amount)}`;
}
