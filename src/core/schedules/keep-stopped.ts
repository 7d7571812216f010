import { unlessAway } from '../refusal.ts';
import type { Said } from '../outbox/outbox.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { clockAt } from '../../platform/time/zoned-time.ts';
import { isLeftOut } from './when.ts';
import { findTargets } from './find-targets.ts';
import { withHolidays } from './holidays.ts';
import { isEnough, looked, stoppedAgain, withoutKeeping, MOST_AGAIN } from './keeping.ts';
import { warningIdOf, runAfterNext } from './schedule.ts';
import type { Schedule } from './schedule-record.ts';
import type { RunDeps } from './run-schedule.ts';
import { starterOf } from './started.ts';
import { names } from '../batches/words.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { join, person, type Phrase, say, time } from '../../platform/slack/phrase.ts';
import { SCHEDULE_ROUTES } from './messages.ts';

/** Something that runs although its schedule stopped it, and who started it, where that is known. */
interface Running {
  readonly id: string;
  readonly name: string;
  readonly startedBy: string | undefined;
}

const MAX_NAMED = 8;
const MAX_STARTERS = 5;

/** That something runs again and is stopped soon, with what can be done about it. Pure. */
function runningAgainMessage(
  schedule: Schedule,
  { at }: { readonly at: number },
  running: readonly Running[],
): Message {
  const { id, owner } = schedule;
  const value = `${id} ${at}`;
  const until = runAfterNext(schedule);
  const keeps = say`The schedule of ${person(owner.userId)} keeps ${running.length === 1 ? 'it' : 'them'} stopped`;
  const later: Button = { label: 'One hour more', routeId: SCHEDULE_ROUTES.later, value };
  return {
    lines: [
      say`⏰ ${names(running, MAX_NAMED)} ${are(running)} running again and will be stopped ${time(at)}. ${keeps}${until ? say` until ${time(until.at)}` : say``}.`,
      ...startedWords(running),
    ],
    buttons: [later, { label: 'Leave it on', routeId: SCHEDULE_ROUTES.skip, value }],
    menu: [{ label: 'Longer…', routeId: SCHEDULE_ROUTES.longer, value }],
  };
}

/** That something was started again so often that it is left alone. Pure. */
function enoughMessage(
  { id, owner }: Schedule,
  { at }: { readonly at: number },
  running: readonly Running[],
): Message {
  return {
    lines: [
      say`⏰ ${names(running, MAX_NAMED)} ${are(running)} running again, and I stopped what was started ${MOST_AGAIN} times by now. I leave it on; the schedule of ${person(owner.userId)} goes on ${time(at)}.`,
      ...startedWords(running),
    ],
    buttons: [{ label: 'Show', routeId: SCHEDULE_ROUTES.show, value: id }],
  };
}

function are({ length }: readonly unknown[]): string {
  return length === 1 ? 'is' : 'are';
}

/** "Started by @bob: stg-1." */
function startedWords(running: readonly Running[]): readonly Phrase[] {
  const people = [...new Set(running.flatMap(({ startedBy }) => startedBy ?? []))].slice(0, MAX_STARTERS);
  if (people.length === 0) return [];
  const [only, another] = people;
  if (only !== undefined && another === undefined && running.every(({ startedBy }) => startedBy === only))
    return [say`Started by ${person(only)}.`];
  const each = people.map((userId) => {
    const theirs = running.filter(({ startedBy }) => startedBy === userId);
    return say`${names(theirs, MAX_NAMED)} by ${person(userId)}`;
  });
  return [say`Started: ${join(each, '; ')}.`];
}

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
