import { unlessAway } from '../../../core/refusal.ts';
import { findTargets } from '../../../core/schedules/find-targets.ts';
import type { Schedule } from '../../../core/schedules/schedule-record.ts';
import { inBackground } from '../../../platform/hosting/in-background.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/time/duration.ts';
import { dayAt } from '../ledger/day.ts';
import { type Coming, type Scheduled, scheduledOf } from './scheduled.ts';
import { MAX_DAYS } from './range.ts';
import { asError } from '../../../platform/log/log.ts';
import { isRedisAway } from '../../../platform/redis/away.ts';
import { dailyCosts } from '../ledger/daily-costs.ts';
import type { ReadDailyCosts } from './expected.ts';
import type { Billing } from '../billing.ts';

/**
 * The days of the ledger as a range needs them, and all of the month before. `now`: the calendar's, Unix ms. `scheduled`: where schedules
 * can be set; a schedule that can't be read is logged, and costs no more than what it would say.
 */
export function createDailyCosts(
  { days, calendar, log }: Pick<Billing, 'days' | 'calendar' | 'log'>,
  scheduled?: (now: number) => Promise<Scheduled | undefined>,
): ReadDailyCosts {
  const onError = (error: unknown): undefined => {
    if (isRedisAway(error)) throw error;
    log.limited('reading what schedules make of the days to come', asError(error));
  };
  return async () => {
    const at = await calendar.today();
    // What is paid afterwards is known by the day before.
    const from = dayAt(at - (MAX_DAYS + 1) * DAY_MS);
    const [costs, found] = await Promise.all([
      days.listCosts(from, dayAt(at - DAY_MS)),
      scheduled?.(at).catch(onError),
    ]);
    return { days: dailyCosts(costs), scheduled: found };
  };
}

/**
 * What the schedules that are set make of what is to come, at `now`, Unix ms; undefined where nothing of them counts. Throws what Redis
 * says. For an hour it is the same while the schedules are: it stands on all instances of ninety days, which take a second to read where
 * there are thousands, and a balance is read for each look of the alerts.
 */
export function createScheduled(
  deps: Pick<Billing, 'hosting' | 'access' | 'favorites' | 'schedules' | 'days'>,
): (now: number) => Promise<Scheduled | undefined> {
  let kept: { readonly key: string; readonly found: Promise<Scheduled | undefined> } | undefined;
  return async (now) => {
    const set = (await deps.schedules.list()).filter(({ next }) => next);
    if (set.length === 0) return undefined;
    const key = JSON.stringify([
      Math.floor(now / HOUR_MS),
      set.map(({ id, target, when, next }) => [id, target, when, next?.at]),
    ]);
    if (kept?.key !== key) {
      const found = read(deps, set, now);
      found.catch(() => (kept = undefined));
      kept = { key, found };
    }
    return kept.found;
  };
}

async function read(
  deps: Pick<Billing, 'hosting' | 'access' | 'favorites' | 'schedules' | 'days'>,
  set: readonly Schedule[],
  now: number,
): Promise<Scheduled | undefined> {
  const [days, ...targets] = await Promise.all([
    deps.days.list(dayAt(now - MAX_DAYS * DAY_MS), dayAt(now - DAY_MS)),
    ...set.map(async (one) => ({ one, ids: await idsOf(deps, one, now) })),
  ]);
  const byId = new Map<string, Coming[]>();
  for (const { one, ids } of targets) for (const id of ids) byId.set(id, [...(byId.get(id) ?? []), one]);
  return scheduledOf(byId, days, now);
}

/** What it is about; nothing where that can't be read now. */
async function idsOf(
  deps: Pick<Billing, 'hosting' | 'access' | 'favorites' | 'schedules' | 'days'>,
  schedule: Schedule,
  now: number,
): Promise<readonly string[]> {
  if ('instances' in schedule.target) return schedule.target.instances.map(({ id }) => id);
  const finding = findTargets({ ...deps, hosting: inBackground(deps.hosting) }, schedule, now);
  const found = await unlessAway(finding, undefined);
  return found?.instances.map(({ id }) => id) ?? [];
}
