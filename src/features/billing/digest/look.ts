import { inBackground } from '../../../platform/hosting/in-background.ts';
import type { Instance } from '../../../platform/hosting/service.ts';
import { toDecimal } from '../../../core/money/amount.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/time/duration.ts';
import { atStake, whyFree } from '../balance/at-zero.ts';
import { TRANSACTIONS_NOT_OFFERED } from '../balance/offered.ts';
import { findReading, withExpected } from '../balance/reading.ts';
import { dayAt, type NamedDay } from '../ledger/day.ts';
import type { Days } from '../ledger/days.ts';
import type { FillingStore } from '../ledger/filling.ts';
import { figuresOf, gapsIn, type MonthFigures } from '../month/figures.ts';
import { knownCosts } from '../range/expected.ts';
import { digestMessage } from './messages.ts';
import type { Billing } from '../billing.ts';

/** The days that a digest tells of: seven, and the seven before. */
interface Weeks {
  readonly days: readonly NamedDay[];
  readonly before: readonly NamedDay[];
  /** Days of them of which nothing is known. */
  readonly gaps: MonthFigures['gaps'];
  /** The first day of the ledger, where that is one of them. */
  readonly since: string | undefined;
  /** The ledger will soon know more of them. */
  readonly isComing: boolean;
  /** It never will: the service lists no transactions. */
  readonly isNotOffered: boolean;
}

const DAYS = 7;
/** So long after midnight the ledger has the day before. */
const LEDGER_LAG_MS = HOUR_MS;

/** The last days that the ledger has when a digest is due, which so comes in time in every zone. `dueAt`, `now`: the calendar's, Unix ms. */
export async function weeksBefore(
  { days, filling }: { readonly days: Pick<Days, 'list'>; readonly filling: Pick<FillingStore, 'get'> },
  dueAt: number,
  now: number,
): Promise<Weeks> {
  const ledger = await filling.get();
  const last = dueAt - LEDGER_LAG_MS - DAY_MS;
  const first = dayAt(last - (2 * DAYS - 1) * DAY_MS);
  const both = await days.list(first, dayAt(last));
  const gaps = gapsIn(both);
  const isNotOffered = gaps.length > 0 && ledger.isNotOffered === true;
  const isAtRest = !ledger.reading && ledger.failures === 0 && ledger.dueAt > now;
  return {
    days: both.slice(DAYS),
    before: both.slice(0, DAYS),
    gaps,
    since: ledger.filled && ledger.filled.from > first ? ledger.filled.from : undefined,
    isComing: gaps.length > 0 && !isAtRest && !isNotOffered,
    isNotOffered,
  };
}

/** What a digest says of its days, and of what the service says now. `now`: the calendar's, Unix ms. Throws HostingError or a Refusal. */
export async function lookBack(
  { unit, links, dailyCosts, hosting: service }: Billing,
  zone: string,
  { days, before, gaps, since, isNotOffered }: Weeks,
  now: number,
): Promise<{
  message: Message;
  /** Its figures for machines: amounts as decimals. */
  facts: Readonly<Record<string, string>>;
}> {
  if (isNotOffered) throw new Refusal(TRANSACTIONS_NOT_OFFERED, []);
  const hosting = inBackground(service);
  const [read, list, costs] = await Promise.all([
    findReading(hosting, () => now),
    hosting.listInstances(),
    knownCosts(dailyCosts),
  ]);
  const reading = read && withExpected(read, costs);
  const { instances, incomplete } = list;
  const figures = figuresOf(days, before, 'instance', { maySee: () => true, mayKnowAdded: true });
  return {
    message: digestMessage({
      reading,
      figures,
      gaps,
      since,
      isBeforeCertain: before.every(({ record: { booked } }) => !booked?.unreadable),
      paused: withStatus(instances, 'paused'),
      idle: withStatus(instances, 'stopped'),
      isStandstill: reading !== undefined && whyFree(reading, atStake(list)) === 'paused',
      incomplete,
      unit,
      topUp: links.topUp,
      asOf: now,
      zone,
      lastDay: days.at(-1)?.day ?? dayAt(now),
    }),
    facts: {
      asOf: new Date(now).toISOString(),
      ...(figures.asOf === undefined ? {} : { used: toDecimal(figures.used) }),
      ...(reading ? { balance: toDecimal(reading.balance) } : {}),
      ...(reading?.perDay ? { perDay: toDecimal(reading.perDay) } : {}),
    },
  };
}

function withStatus(instances: readonly Instance[], wanted: Instance['status']): Instance[] {
  return instances.filter(({ status }) => status === wanted);
}
