import type { Holidays } from '../policy/sections.ts';
import type { Said } from '../outbox/outbox.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import { say } from '../../platform/slack/phrase.ts';
import { forgottenMessage, notRunMessage, warningMessage, saysWarningOver } from './messages.ts';
import { lookAgain } from './keep-stopped.ts';
import { entryOf, type RunDeps, runOpen } from './run-schedule.ts';
import { asItRuns, isNextLeftOut } from './holidays.ts';
import { type Due, closed, missed, opened, passedOver, warned, warningIdOf, whatIsDue } from './schedule.ts';
import type { Schedule } from './schedule-record.ts';
import { type Started, startedSince } from './started.ts';
import { endIfVoid, showTurning } from './turn-back.ts';

/**
 * The job of one schedule: warns of its next stop, opens the run that is due, and begins it. The record decides each
 * step, so that it may run twice or be lost.
 */
export function createScheduleJob(deps: RunDeps): JobHandler {
  const { scheduleStore, clock } = deps;
  return async (id, signal) => {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const schedule = await scheduleStore.find(id);
      if (isFirst && schedule && (await endIfVoid(deps, schedule))) continue;
      const due = schedule && whatIsDue(schedule, clock.now());
      if (!due) return undefined;
      const waitMs = due.at - clock.now();
      if (waitMs > 0) return Math.ceil(waitMs);
      await take(deps, schedule, due);
    }
    return undefined;
  };
}

/** Takes the step that is due, and says what it is to say. Where another process took it, or somebody moved it, nothing. */
async function take(deps: RunDeps, schedule: Schedule, { what, at }: Due): Promise<void> {
  const { scheduleStore, clock } = deps;
  const { id, next, open } = schedule;
  const now = clock.now();
  const ifStill =
    (step: (one: Schedule) => Schedule | undefined) =>
    (one: Schedule): Schedule | undefined => {
      const due = whatIsDue(one, now);
      return due?.what === what && due.at === at && one.next?.ruleAt === next?.ruleAt ? step(one) : undefined;
    };
  const isOfNext = what === 'warn' || what === 'open' || what === 'miss';
  if (isOfNext && isNextLeftOut(schedule, deps.holidays())) {
    await scheduleStore.change(
      id,
      ifStill((one) => passedOver(one, now)),
      {
        says: (after, before) =>
          saysWarningOver(after, before.next, say`It is left out: that day is a holiday.`),
      },
    );
    return;
  }
  switch (what) {
    case 'show':
      return showTurning(deps.operations, scheduleStore, schedule);
    case 'warn': {
      const started = schedule.turns ? [] : await startedSince(deps, schedule, now);
      await scheduleStore.change(
        id,
        ifStill((one) => warned(one, now)),
        { says: (after) => sayWarning(after, started) },
      );
      return;
    }
    case 'look': {
      const { step, says } = await lookAgain(deps, schedule, now);
      await scheduleStore.change(id, ifStill(step), { says });
      return;
    }
    case 'open':
      if (next)
        await scheduleStore.change(
          id,
          ifStill((one) => opened(one, now)),
          {
            run: { how: 'open', run: next },
            says: (after, before) => saysWarningOver(after, before.next, say`The stop is about to begin.`),
          },
        );
      return;
    case 'miss':
      if (next)
        await scheduleStore.change(
          id,
          ifStill((one) => missed(one, now)?.schedule),
          {
            entry: entryOf(schedule, next, now, { what: 'expired', result: 'not-run' }),
            says: (after, before) => sayMiss(deps.holidays(), after, before, now),
          },
        );
      return;
    case 'run':
      if (open) await runOpen(deps, schedule, open);
      return;
    case 'forget':
      await scheduleStore.change(
        id,
        ifStill((one) => closed(one, { at: now, why: 'paused for long' })),
        {
          says: (after) => [
            {
              id: `schedule-${id}-over`,
              to: { channelId: after.channelId },
              content: forgottenMessage(after),
            },
          ],
        },
      );
  }
}

function sayWarning(schedule: Schedule, started: readonly Started[]): readonly Said[] {
  const { next, channelId } = schedule;
  if (!next) return [];
  return [
    { id: warningIdOf(schedule, next), to: { channelId }, content: warningMessage(schedule, next, started) },
  ];
}

function sayMiss(holidays: Holidays, after: Schedule, before: Schedule, now: number): readonly Said[] {
  const { next, channelId } = before;
  const found = missed(asItRuns(before, holidays), now);
  if (!next || !found) return [];
  const content = notRunMessage(
    asItRuns(after, holidays),
    next,
    say`the bot was not running then`,
    found.count,
  );
  return [
    ...saysWarningOver(after, next, say`Nothing was stopped.`),
    { id: `schedule-${after.id}-${next.ruleAt}-end`, to: { channelId }, content },
  ];
}
