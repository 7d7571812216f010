import { Refusal } from '../../../core/refusal.ts';
import type { Ask, Reply } from '../../../core/ask/ask.ts';
import type { AuditAttempt, Route } from '../../../core/intake/route.ts';
import { findTargets } from '../../../core/schedules/find-targets.ts';
import { mayBeLater, saysWarningOver, SCHEDULE_ROUTES } from '../../../core/schedules/messages.ts';
import {
  closed,
  isPaused,
  later,
  LATER_MS,
  paused,
  resumed,
  type Schedule,
  skipped,
} from '../../../core/schedules/schedule.ts';
import type { ScheduleStep } from '../../../core/schedules/schedule-store.ts';
import { person, type Phrase, say, time } from '../../../platform/slack/phrase.ts';
import { seenBy } from './list.ts';
import { changedMessage, pauseModal, scheduleMessage } from './messages.ts';
import { PAUSE_EXAMPLES, parsePause } from './parse-pause.ts';
import type { ScheduleDeps } from './deps.ts';

/** The buttons of one schedule. Each is for its owner, an admin, or who may change all that it is about. */
export function manageRoutes(deps: ScheduleDeps): readonly Route[] {
  return [skipRoute(deps), laterRoute(deps), pauseRoute(deps), resumeRoute(deps), removeRoute(deps)];
}

/** "Skip next", and "Not tonight" on a warning. */
function skipRoute(deps: ScheduleDeps): Route {
  return {
    ...common('skip', 'skip the next run'),
    handle: async (ask, audit) => {
      const { schedule, at } = await findManaged(deps, ask, audit);
      const { userId } = ask.actor;
      const did = say`${person(userId)} skipped the run due ${time(at)} of`;
      const after = await deps.schedules.change(
        schedule.id,
        (one) => skipped(one, at, userId, deps.clock.now()),
        {
          says: said(ask, did, say`${person(userId)} skipped this stop.`),
        },
      );
      const isMine = schedule.skipped?.at === at && schedule.skipped.by === userId;
      if (!after && !isMine) throw movedOn(schedule);
      return answer(deps, ask, after ?? schedule);
    },
  };
}

/** "One hour more" on a warning. */
function laterRoute(deps: ScheduleDeps): Route {
  return {
    ...common('later', 'postpone the next run by an hour'),
    handle: async (ask, audit) => {
      const { schedule, at } = await findManaged(deps, ask, audit);
      const { userId } = ask.actor;
      if (schedule.next?.at === at && !mayBeLater(schedule))
        throw new Refusal(
          'too-late',
          say`The run after it comes before that hour is over. Press Not tonight to skip it.`,
        );
      const to = say`${time(at + LATER_MS)}`;
      const did = say`${person(userId)} postponed the run due ${time(at)} to ${to} of`;
      const after = await deps.schedules.change(schedule.id, (one) => later(one, at, userId), {
        says: said(ask, did, say`${person(userId)} postponed this stop by an hour, to ${to}.`),
      });
      const isMine = schedule.next?.at === at + LATER_MS && schedule.next.laterBy === userId;
      if (!after && !isMine) throw movedOn(schedule);
      return answer(deps, ask, after ?? schedule);
    },
  };
}

/** "Pause until…", with a modal for the time. */
function pauseRoute(deps: ScheduleDeps): Route {
  const untilOf = (ask: Ask, { when }: Schedule): number | undefined =>
    parsePause(ask.typed ?? '', when.zone, deps.clock.now());
  return {
    ...common('pause', 'pause a schedule'),
    check: async (ask) => {
      const { schedule } = await findManaged(deps, ask, () => undefined);
      return untilOf(ask, schedule) === undefined ? badTime() : undefined;
    },
    handle: async (ask, audit) => {
      const { schedule } = await findManaged(deps, ask, audit);
      if (ask.typed === undefined) {
        audit({ what: 'shown' });
        return pauseModal(schedule);
      }
      const until = untilOf(ask, schedule);
      if (until === undefined) throw new Refusal('bad-argument', badTime());
      const by = ask.actor.userId;
      const did = say`${person(by)} paused`;
      const how = say` until ${time(until)}`;
      const after = await deps.schedules.change(
        schedule.id,
        (one) => paused(one, { at: deps.clock.now(), until, by }),
        {
          says: said(ask, did, say`${did} the schedule${how}.`, how),
        },
      );
      if (!after)
        throw new Refusal(
          'over',
          say`No run comes after ${time(until)}, so nothing was changed. Remove it instead.`,
        );
      return answer(deps, ask, after);
    },
  };
}

function resumeRoute(deps: ScheduleDeps): Route {
  return {
    ...common('resume', 'resume a schedule'),
    handle: async (ask, audit) => {
      const { schedule } = await findManaged(deps, ask, audit);
      const now = deps.clock.now();
      const did = say`${person(ask.actor.userId)} resumed`;
      // Where it is not paused any more there is nothing to do, and what is shown says so.
      const after = await deps.schedules.change(
        schedule.id,
        (one) => (isPaused(one, now) ? resumed(one, now) : undefined),
        {
          says: said(ask, did, did),
        },
      );
      return answer(deps, ask, after ?? schedule);
    },
  };
}

function removeRoute(deps: ScheduleDeps): Route {
  return {
    ...common('remove', 'remove a schedule'),
    handle: async (ask, audit) => {
      const { schedule } = await findManaged(deps, ask, audit);
      const by = ask.actor.userId;
      const did = say`${person(by)} removed`;
      const after = await deps.schedules.change(
        schedule.id,
        (one) => closed(one, { at: deps.clock.now(), why: 'removed', by }),
        {
          says: said(ask, did, say`${person(by)} removed the schedule.`),
        },
      );
      return answer(deps, ask, after ?? schedule);
    },
  };
}

function common(
  route: keyof typeof SCHEDULE_ROUTES,
  summary: string,
): Pick<Route, 'id' | 'verb' | 'permission' | 'writes' | 'summary' | 'isAskable'> {
  return {
    id: SCHEDULE_ROUTES[route],
    verb: summary,
    // Who may change it is asked of the schedule.
    permission: 'instances:read',
    writes: true,
    summary,
    isAskable: false,
  };
}

/** The schedule that a button is about, and the moment in its value, provided that this person may change it. Throws a Refusal. */
async function findManaged(
  deps: ScheduleDeps,
  ask: Ask,
  audit: AuditAttempt,
): Promise<{ readonly schedule: Schedule; readonly at: number }> {
  const [id = '', at = ''] = (ask.value ?? '').split(' ');
  audit({ args: { schedule: id } });
  const schedule = await deps.schedules.find(id);
  if (!schedule)
    throw new Refusal('gone', say`I have no record of that schedule any more, so nothing was changed.`);
  await refuseUnlessManaged(deps, ask, schedule);
  return { schedule, at: /^\d{1,16}$/.test(at) ? Number(at) : 0 };
}

/**
 * Throws a Refusal unless this person is its owner, an admin, or may change all that it is about now. A freeze is no
 * reason: what is put off or left out changes no instance.
 */
async function refuseUnlessManaged(
  deps: ScheduleDeps,
  { actor, place: { channelId } }: Ask,
  schedule: Schedule,
): Promise<void> {
  if (actor.userId === schedule.owner.userId) return;
  const { access, clock } = deps;
  if ((await access.check(actor, 'access:grant', 'all', { channelId })).allowed) return;
  const { instances } = await findTargets(deps, schedule, clock.now());
  const decide = await access.decisions(actor, 'instances:power', { channelId });
  const mayAll = instances.every((one) => {
    const decision = decide(one);
    return decision.allowed || decision.reason === 'frozen';
  });
  if (instances.length > 0 && mayAll) return;
  throw new Refusal(
    'no-right',
    say`Only ${person(schedule.owner.userId)}, an admin, or someone who may change all of its instances can do that. Nothing was changed.`,
  );
}

/** What its channel reads of somebody's press: on the warning, where there is one, else by itself. */
function said(ask: Ask, did: Phrase, became: Phrase, how?: Phrase): NonNullable<ScheduleStep['says']> {
  return (after, before) => {
    if (before.next?.warnedAt !== undefined && before.next.at !== after.next?.at)
      return saysWarningOver(after, before.next, became);
    const { id, channelId } = after;
    return [{ id: `schedule-${id}-${ask.id}`, to: { channelId }, content: changedMessage(after, did, how) }];
  };
}

/** Who pressed it in a message of their own sees the schedule in its place; else the channel's message says it. */
async function answer(deps: ScheduleDeps, ask: Ask, after: Schedule): Promise<Reply> {
  const [seen = after] = await seenBy(deps, ask, [after]);
  return ask.replaces ? scheduleMessage(seen, deps.clock.now()) : undefined;
}

function movedOn({ next }: Schedule): Refusal {
  const now = next ? say` Next: ${next.verb} ${time(next.at)}.` : say``;
  return new Refusal(
    'over',
    say`That run is over, was put off or was skipped, so nothing was changed.${now}`,
  );
}

function badTime(): Phrase {
  return say`I can't read that time, or it has passed or is more than a year ahead. Try ${PAUSE_EXAMPLES}.`;
}
