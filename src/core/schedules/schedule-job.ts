import type { Outbox } from '../outbox/outbox.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import { say } from '../../platform/slack/phrase.ts';
import { forgottenMessage, notRunMessage, warningMessage, warningOver } from './messages.ts';
import { entryOf, type RunDeps, runOpen } from './run-schedule.ts';
import {
  closed,
  type Due,
  missed,
  opened,
  type Schedule,
  telling,
  handedOver,
  warned,
  warningIdOf,
  whatIsDue,
} from './schedule.ts';

export interface ScheduleJobDeps extends RunDeps {
  readonly outbox: Outbox;
}

/**
 * The job of one schedule: warns of its next stop, opens the run that is due, begins it, and hands on what it says. The
 * record decides each step, so that it may run twice or be lost.
 */
export function createScheduleJob(deps: ScheduleJobDeps): JobHandler {
  const { scheduleStore, clock } = deps;
  return async (id, signal) => {
    while (!signal.aborted) {
      const schedule = await scheduleStore.find(id);
      const due = schedule && whatIsDue(schedule, clock.now());
      if (!due) return undefined;
      const waitMs = due.at - clock.now();
      if (waitMs > 0) return Math.ceil(waitMs);
      await take(deps, schedule, due.what);
    }
    return undefined;
  };
}

/** Takes the step that is due. Where another process took it, nothing. */
async function take(deps: ScheduleJobDeps, schedule: Schedule, what: Due['what']): Promise<void> {
  const { scheduleStore, clock } = deps;
  const { id, next, open } = schedule;
  const now = clock.now();
  switch (what) {
    case 'tell':
      return tell(deps, schedule);
    case 'warn':
      await scheduleStore.change(id, (one) => withWarning(one, now));
      return;
    case 'open':
      if (next)
        await scheduleStore.change(id, (one) => withOpening(one, next, now), {
          run: { how: 'open', run: next },
        });
      return;
    case 'miss':
      if (next) {
        const entry = entryOf(schedule, next, now, { what: 'expired', result: 'not-run' });
        await scheduleStore.change(id, (one) => withMiss(one, now), { entry });
      }
      return;
    case 'run':
      if (open) await runOpen(deps, schedule, open);
      return;
    case 'forget':
      await scheduleStore.change(id, (one) => withEnd(one, now));
  }
}

/** Hands what it says to the outbox. The same once more is the same message. */
async function tell({ scheduleStore, outbox }: ScheduleJobDeps, schedule: Schedule): Promise<void> {
  const { tellings } = schedule;
  for (const { id, to, content, isEdit } of tellings) {
    if (isEdit) await outbox.edit(id, content);
    else await outbox.post({ id, to, content });
  }
  const ids = tellings.map(({ id }) => id);
  await scheduleStore.change(schedule.id, (one) => handedOver(one, ids));
}

function withWarning(schedule: Schedule, now: number): Schedule | undefined {
  const after = warned(schedule, now);
  if (!after?.next) return undefined;
  const { next, channelId } = after;
  return telling(after, {
    id: warningIdOf(after, next),
    to: { channelId },
    content: warningMessage(after, next),
  });
}

function withOpening(
  schedule: Schedule,
  next: NonNullable<Schedule['next']>,
  now: number,
): Schedule | undefined {
  // The request is that of the run that was read.
  const after = schedule.next?.ruleAt === next.ruleAt ? opened(schedule, now) : undefined;
  return after && withWarningOver(after, schedule.next, say`It is being stopped now.`);
}

function withMiss(schedule: Schedule, now: number): Schedule | undefined {
  const { next, channelId } = schedule;
  const found = missed(schedule, now);
  if (!next || !found) return undefined;
  const { schedule: after, count } = found;
  const content = notRunMessage(after, next, say`the bot was not running then`, count);
  const over = withWarningOver(after, next, say`It was not stopped.`);
  return telling(over, { id: `schedule-${after.id}-${next.ruleAt}-end`, to: { channelId }, content });
}

function withEnd(schedule: Schedule, now: number): Schedule | undefined {
  const after = closed(schedule, { at: now, why: 'paused for long' });
  const { id, channelId } = schedule;
  return (
    after &&
    telling(after, { id: `schedule-${id}-over`, to: { channelId }, content: forgottenMessage(after) })
  );
}

/** What a warning says in place of its buttons, where its channel was warned. Pure. */
export function withWarningOver(
  schedule: Schedule,
  next: Schedule['next'],
  became: ReturnType<typeof say>,
): Schedule {
  if (next?.warnedAt === undefined) return schedule;
  const { channelId } = schedule;
  return telling(schedule, {
    id: warningIdOf(schedule, next),
    to: { channelId },
    content: warningOver(schedule, next.at, became),
    isEdit: true,
  });
}
