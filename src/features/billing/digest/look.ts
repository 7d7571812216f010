import { HostingError } from '../../../platform/hosting/hosting-error.ts';
import { walkPages } from '../../../platform/hosting/pages.ts';
import type { HostingService, Instance } from '../../../platform/hosting/service.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { atStake, whyFree } from '../balance/at-zero.ts';
import { findReading } from '../balance/reading.ts';
import { changeOf } from './change.ts';
import { digestMessage } from './messages.ts';
import { NOTHING_READ, type Progress, withPage } from './progress.ts';
import { isQuiet, type Still } from './quiet.ts';
import type { Schedule } from './schedule.ts';
import { spendOf } from './spend.ts';

const PER_PAGE = 100;
/** So much is read at a time before it is written down; a process that dies loses no more. */
const PAGES_AT_A_TIME = 10;

/** Reads some pages on. What was read is kept where a fault ends it early: it is given as `fault`. */
export async function readOn(
  hosting: Pick<HostingService, 'listTransactions'>,
  from: Progress,
  dueAt: number,
): Promise<{ progress: Progress; fault?: unknown }> {
  let progress = from;
  try {
    const pages = walkPages(
      (page, at) => hosting.listTransactions(page, PER_PAGE, { priority: 'bulk', at }),
      from,
    );
    for await (const page of pages) {
      progress = withPage(progress, page, dueAt);
      if (progress.end !== undefined || progress.page - from.page === PAGES_AT_A_TIME) break;
    }
    return { progress };
  } catch (fault) {
    return { progress, fault };
  }
}

/** Statuses of a 4xx that say nothing about the place that was asked for. */
const NOT_OF_THE_PLACE = [401, 403, 429];

/** Where to go on after a fault: from the start where the service may not know the place any more that it named. Pure. */
export function progressAfter(progress: Progress, fault: unknown): Progress {
  const status = fault instanceof HostingError ? (fault.status ?? 0) : 0;
  const isPlaceGone = status >= 400 && status < 500 && !NOT_OF_THE_PLACE.includes(status);
  return progress.next && isPlaceGone ? NOTHING_READ : progress;
}

/** What a digest says once all was read; no message where it is to be silent. Throws HostingError or a Refusal. */
export async function lookBack(
  { hosting, unit, now }: { hosting: HostingService; unit: string; now: () => number },
  { schedule, before, progress }: { schedule: Schedule; before: Still | undefined; progress: Progress },
): Promise<{ message: Message | undefined; still: { paused: string[]; idle: string[] } }> {
  const [reading, list] = await Promise.all([findReading(hosting, now), hosting.listInstances()]);
  const { instances, incomplete } = list;
  const names = new Map(instances.map(({ id, name }) => [id, name]));
  const thisWeek = spendOf(progress.thisWeek, names);
  const change = changeOf(thisWeek, spendOf(progress.lastWeek, names));
  const isCut = progress.end === 'cut';
  const paused = withStatus(instances, 'paused');
  const idle = withStatus(instances, 'stopped');
  const still = { paused: paused.map(({ id }) => id), idle: idle.map(({ id }) => id) };
  if (schedule.onlyChanges && isQuiet(change, still, { before, isCut, incomplete }))
    return { message: undefined, still };
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
      asOf,
      zone,
    }),
    still,
  };
}

function withStatus(instances: readonly Instance[], wanted: Instance['status']): Instance[] {
  return instances.filter(({ status }) => status === wanted);
}
