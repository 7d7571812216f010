import type { HostingService, Instance } from '../../../platform/hosting/service.ts';
import { toDecimal } from '../../../core/money/amount.ts';
import type { Button, Message } from '../../../platform/slack/message.ts';
import { atStake, whyFree } from '../balance/at-zero.ts';
import { findReading } from '../balance/reading.ts';
import { changeOf } from './change.ts';
import { knownCosts, type ReadDailyCosts } from '../range/expected.ts';
import { withExpected } from '../balance/with-expected.ts';
import { digestMessage } from './messages.ts';
import type { Schedule } from './schedule.ts';
import { type Progress, spendOf } from './spend.ts';

/** What a digest says once all was read. Throws HostingError or a Refusal. */
export async function lookBack(
  {
    hosting,
    unit,
    topUp,
    now,
    dailyCosts,
  }: {
    hosting: HostingService;
    unit: string;
    topUp: readonly Button[];
    now: () => number;
    dailyCosts: ReadDailyCosts;
  },
  { schedule: { zone }, progress }: { schedule: Schedule; progress: Progress },
): Promise<{
  message: Message;
  /** Its figures for machines: amounts as decimals. */
  facts: Readonly<Record<string, string>>;
}> {
  const [read, list, costs] = await Promise.all([
    findReading(hosting, now),
    hosting.listInstances(),
    knownCosts(dailyCosts),
  ]);
  const reading = read && withExpected(read, costs);
  const { instances, incomplete } = list;
  const names = new Map(instances.map(({ id, name }) => [id, name]));
  const thisWeek = spendOf(progress.thisWeek, names);
  const change = changeOf(thisWeek, spendOf(progress.lastWeek, names));
  const isCut = progress.end === 'cut';
  const paused = withStatus(instances, 'paused');
  const idle = withStatus(instances, 'stopped');
  const asOf = reading?.asOf ?? now();
  return {
    message: digestMessage({
      reading,
      thisWeek,
      change,
      paused,
      idle,
      isStandstill: reading !== undefined && whyFree(reading, atStake(list)) === 'paused',
      incomplete,
      isCut,
      unit,
      topUp,
      asOf,
      zone,
    }),
    facts: {
      asOf: new Date(asOf).toISOString(),
      used: toDecimal(thisWeek.used),
      ...(reading ? { balance: toDecimal(reading.balance) } : {}),
      ...(reading?.perDay ? { perDay: toDecimal(reading.perDay) } : {}),
    },
  };
}

function withStatus(instances: readonly Instance[], wanted: Instance['status']): Instance[] {
  return instances.filter(({ status }) => status === wanted);
}
