import { unlessAway } from '../refusal.ts';
import type { Said } from '../outbox/outbox.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { clockAt } from '../../platform/time/zoned-time.ts';
import { isLeftOut } from './exceptions.ts';
import { findTargets } from './find-targets.ts';
import { withHolidays } from './holidays.ts';
import { isEnough, looked, stoppedAgain, withoutKeeping } from './keeping.ts';
import { enoughMessage, type Running, runningAgainMessage } from './keeping-messages.ts';
import { warningIdOf } from './schedule.ts';
import type { Schedule } from './schedule-record.ts';
import type { RunDeps } from './run-schedule.ts';
import { starterOf } from './started.ts';

/** A step of a schedule, and what its channel reads by it. */
export interface KeepStep {
  readonly step: (schedule: Schedule) => Schedule | undefined;
  readonly says: (after: Schedule) => readonly Said[];
}

/**
 * Looks at what a schedule keeps stopped: where something runs again, one more stop comes before its next run, and its channel
 * reads so. Where nobody can tell, it looks again later. `now`: Unix ms.
 */
export async function lookAgain(deps: RunDeps, schedule: Schedule, now: number): Promise<KeepStep> {
  const running = isOutToday(schedule, deps, now)
    ? []
    : await unlessAway(runningAgain(deps, schedule, now), []);
  const { id, channelId, next } = schedule;
  if (running.length === 0 || !next) return { step: (one) => looked(one, now), says: () => [] };
  if (isEnough(schedule))
    return {
      step: withoutKeeping,
      says: (after) => [
        {
          id: `schedule-${id}-enough-${next.ruleAt}`,
          to: { channelId },
          content: enoughMessage(after, next, running),
        },
      ],
    };
  return {
    step: (one) => stoppedAgain(one, now),
    says: (after) =>
      after.next
        ? [
            {
              id: warningIdOf(after, after.next),
              to: { channelId },
              content: runningAgainMessage(after, after.next, running),
            },
          ]
        : [],
  };
}

/** Whether today is a day there that it leaves out. */
function isOutToday({ when }: Schedule, { holidays }: Pick<RunDeps, 'holidays'>, now: number): boolean {
  const known = withHolidays(when, holidays());
  return known.kind === 'weekly' && isLeftOut(clockAt(now, known.zone).toString(), known.except ?? []);
}

/** What runs of what it stopped and would be stopped by it now, each with who started it, where the bot knows that. */
async function runningAgain(deps: RunDeps, schedule: Schedule, now: number): Promise<readonly Running[]> {
  const { owner: actor, channelId, last, createdAt } = schedule;
  const change = deps.changeOf('stop');
  if (!change) return [];
  const { instances } = await findTargets(deps, schedule, now);
  const running = instances.filter(({ status }) => status === 'running');
  if (running.length === 0) return [];
  const { chosen } = await change.examine(deps, { actor, place: { channelId } }, running);
  return Promise.all(
    chosen.map(async ({ instance }: { readonly instance: Instance }) => ({
      id: instance.id,
      name: instance.name,
      startedBy: await starterOf(deps.past, instance.id, last?.at ?? createdAt),
    })),
  );
}
