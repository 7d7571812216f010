import { movingEach, type Owned, type OwnedSource } from '../../../core/policy/owned.ts';
import { targetWords, whenWords } from '../../../core/schedules/messages.ts';
import { isPaused } from '../../../core/schedules/schedule.ts';
import type { Schedule } from '../../../core/schedules/schedule-record.ts';
import type { Schedules } from '../../../core/schedules/schedule-store.ts';
import type { RedisClock } from '../../../platform/redis/clock.ts';
import { channel, say, time } from '../../../platform/slack/phrase.ts';

/** The schedules that somebody paused or put off: whoever has them sees that they go on. */
export function ownedSchedules({
  schedules,
  clock,
}: {
  readonly schedules: Pick<Schedules, 'list' | 'moving'>;
  readonly clock: Pick<RedisClock, 'now'>;
}): OwnedSource {
  return {
    name: 'schedule',
    list: async (userId) =>
      (await schedules.list()).flatMap((schedule) => ownedOf(schedule, userId, clock.now())),
    moving: (all, { from, to, at }) =>
      movingEach(all, (scheduleId, ids) =>
        schedules.moving(
          scheduleId,
          (one) => passedOn(one, ids, { from, to, at }),
          () => [],
        ),
      ),
  };
}

function ownedOf(schedule: Schedule, userId: string, now: number): readonly Owned[] {
  const { id, target, when, paused, next, channelId, closed } = schedule;
  if (closed) return [];
  const what = say`${whenWords(when)}, for ${targetWords(target)}, in ${channel(channelId)}`;
  const of = 'instances' in target ? target.instances : [];
  // What its buttons need of whoever isn't its owner.
  const needs = { permission: 'instances:power', of, in: channelId } as const;
  const until = paused?.until === undefined ? say`` : say` until ${time(paused.until)}`;
  return [
    ...(pauseIsOf(schedule, now) === userId
      ? [{ id: `${id}/paused`, line: say`paused${until}: ${what}.`, needs }]
      : []),
    ...(next && delayIsOf(schedule) === userId
      ? [{ id: `${id}/later`, line: say`put off to ${time(next.at)}: ${what}.`, needs }]
      : []),
  ];
}

/** Who has its pause at `now`: whoever paused it, or took that over. */
function pauseIsOf(schedule: Schedule, now: number): string | undefined {
  return isPaused(schedule, now) ? (schedule.paused?.heldBy ?? schedule.paused?.by) : undefined;
}

/** Who has it that its next run is put off: whoever did that, or took it over. */
function delayIsOf({ next }: Schedule): string | undefined {
  return next?.laterBy === undefined ? undefined : (next.heldBy ?? next.laterBy);
}

/** The schedule in which what `from` paused or put off is `to`'s, by ids `…/paused`, `…/later`; undefined where they don't have all of it. */
function passedOn(
  schedule: Schedule,
  ids: readonly string[],
  { from, to, at }: { readonly from: string; readonly to: string; readonly at: number },
): Schedule | undefined {
  const { id, paused: how, next, closed: end } = schedule;
  const hasPaused = pauseIsOf(schedule, at) === from && ids.includes(`${id}/paused`);
  const hasPutOff = delayIsOf(schedule) === from && ids.includes(`${id}/later`);
  if (end || Number(hasPaused) + Number(hasPutOff) !== ids.length) return undefined;
  return {
    ...schedule,
    ...(how && hasPaused ? { paused: { ...how, heldBy: to } } : {}),
    ...(next && hasPutOff ? { next: { ...next, heldBy: to } } : {}),
  };
}
