import type { HostingService, Instance, Transaction } from '../../hosting/service.ts';
import { findReading } from '../reading.ts';
import { changeOf } from './change.ts';
import { digestMessage } from './messages.ts';
import type { Message } from '../../slack/message.ts';
import { isQuiet, type Still } from './quiet.ts';
import type { Schedule } from './schedule.ts';
import { spendOf } from './spend.ts';

const WEEK_MS = 7 * 86_400_000;
const PER_PAGE = 100;
/** How much of the service's list one digest reads through. */
const MOST_PAGES = 100;

/** What a digest for the seven days before `dueAt` says; no message where it is to be silent. Throws HostingError or a Refusal. */
export async function lookBack(
  { hosting, unit, now }: { hosting: HostingService; unit: string; now: () => number },
  { schedule, dueAt, before }: { schedule: Schedule; dueAt: number; before: Still | undefined },
): Promise<{ message: Message | undefined; still: { paused: string[]; idle: string[] } }> {
  const [reading, { instances }, { transactions, isCut }] = await Promise.all([
    findReading(hosting, now),
    hosting.listInstances(),
    readSince(hosting, dueAt - 2 * WEEK_MS),
  ]);
  const names = new Map(instances.map(({ id, name }) => [id, name]));
  const thisWeek = spendOf(transactions, { fromMs: dueAt - WEEK_MS, toMs: dueAt, names });
  const lastWeek = spendOf(transactions, { fromMs: dueAt - 2 * WEEK_MS, toMs: dueAt - WEEK_MS, names });
  const change = changeOf(thisWeek, lastWeek);
  const paused = withStatus(instances, 'paused');
  const idle = withStatus(instances, 'stopped');
  const still = { paused: paused.map(({ id }) => id), idle: idle.map(({ id }) => id) };
  if (schedule.onlyChanges && isQuiet(change, still, { before, isCut })) return { message: undefined, still };
  const { zone } = schedule;
  return {
    message: digestMessage({
      reading,
      thisWeek,
      change,
      paused,
      idle,
      isCut,
      unit,
      asOf: reading?.asOf ?? now(),
      zone,
    }),
    still,
  };
}

function withStatus(instances: readonly Instance[], wanted: Instance['status']): Instance[] {
  return instances.filter(({ status }) => status === wanted);
}

/** Everything since `sinceMs`, newest first. */
async function readSince(
  hosting: HostingService,
  sinceMs: number,
): Promise<{ transactions: Transaction[]; isCut: boolean }> {
  const all: Transaction[] = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const { transactions, hasMore } = await hosting.listTransactions(page, PER_PAGE, { turn: 'bulk' });
    all.push(...transactions);
    const oldest = transactions.at(-1);
    if (!hasMore || (oldest && Date.parse(oldest.createdAt) < sinceMs))
      return { transactions: all, isCut: false };
  }
  return { transactions: all, isCut: true };
}
