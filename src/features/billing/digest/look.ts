import type { HostingService, Instance } from '../../../platform/hosting/service.ts';
import { toDecimal } from '../../../core/money/amount.ts';
import type { Button, Message } from '../../../platform/slack/message.ts';
import { atStake, whyFree } from '../balance/at-zero.ts';
import { findReading } from '../balance/reading.ts';
import { changeOf } from './change.ts';
import { knownCosts, type ReadDailyCosts } from '../range/expected.ts';
import { withExpected } from '../balance/with-expected.ts';
import { digestMessage } from './messages.ts';
import type { Progress } from './progress.ts';
import { isQuiet, type Still } from './quiet.ts';
import type { Schedule } from './schedule.ts';
import { spendOf } from './spend.ts';

/** What a digest says once all was read; no message where it is to be silent. Throws HostingError or a Refusal. */
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
  { schedule, before, progress }: { schedule: Schedule; before: Still | undefined; progress: Progress },
): Promise<{
  message: Message | undefined;
  /** Its figures for machines: amounts as decimals. */
  facts: Readonly<Record<string, string>>;
  still: { paused: string[]; idle: string[] };
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
  const still = { paused: paused.map(({ id }) => id), idle: idle.map(({ id }) => id) };
  if (schedule.onlyChanges && isQuiet(change, still, { before, isCut, incomplete }))
    return { message: undefined, facts: {}, still };
  const asOf = reading?.asOf ?? now();
  const { zone } = schedule;
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
    still,
  };
}

function withStatus(instances: readonly Instance[], wanted: Instance['status']): Instance[] {
  return instances.filter(({ status }) => status === wanted);
}
