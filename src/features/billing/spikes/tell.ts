import { together } from '../../../core/records/commit.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { destinationOf } from '../alerts/alert-settings.ts';
import type { AtEnd } from '../ledger/at-end.ts';
import { dailyCosts } from '../ledger/daily-costs.ts';
import { dayAt, startOf } from '../ledger/day.ts';
import { FIGURES } from '../places.ts';
import { FULL_DAYS, isWorthALook, judge, type JudgedDay, PATTERN_DAYS } from './judge.ts';
import { spikeMessage, type Started } from './messages.ts';
import type { Billing } from '../billing.ts';

/** The id of the message that tells of a day. */
export function postIdOf(day: string): string {
  return `spike-${day}`;
}

/**
 * What is written with the end of a reading of the ledger: one day at most that cost far more than its kind does, as a post, and on that
 * day that it was told. `now`: the calendar's, Unix ms. Throws what Redis says.
 */
export function createTellSpikes(deps: Billing): AtEnd {
  const { days, outbox, unit } = deps;
  return async (now) => {
    const yesterday = dayAt(now - DAY_MS);
    const costs = dailyCosts(await days.listCosts(dayAt(now - PATTERN_DAYS * DAY_MS), yesterday));
    if (!isWorthALook(costs)) return undefined;
    const full = await days.list(dayAt(now - FULL_DAYS * DAY_MS), yesterday);
    const judged = judge(costs, full);
    if (!judged) return undefined;
    const to = destinationOf((await deps.alarms.get()).settings, deps.config, deps.admins());
    if (!to) return undefined;
    const content = spikeMessage(judged, unit, await startedIn(deps, judged));
    const part = await days.moving(judged.day, now, (record) =>
      record.spike ? undefined : { ...record, spike: { at: now, from: judged.from } },
    );
    const guard = 'channelId' in to ? { guard: FIGURES } : {};
    return (
      part &&
      together(part, await outbox.saying([{ id: postIdOf(judged.day), to, content, ...guard }], 'moved'))
    );
  };
}

/** Who had the bot start what the day costs more for. */
async function startedIn({ past }: Billing, { day, explanation }: JudgedDay): Promise<readonly Started[]> {
  const [from, to] = [startOf(day), startOf(day) + DAY_MS];
  const started = explanation.changes.flatMap(({ cause }) =>
    cause.kind === 'started' || cause.kind === 'on' ? [cause.id] : [],
  );
  const found = await Promise.all(
    started.map(async (id) => {
      const done = await past.since(id, from);
      const start = done.findLast(
        ({ kind, at, result }) => kind === 'instances.start' && at < to && (result ?? 'done') === 'done',
      );
      return start ? [{ id, userId: start.userId }] : [];
    }),
  );
  return found.flat();
}
