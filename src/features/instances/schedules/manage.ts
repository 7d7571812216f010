import { Refusal } from '../../../core/refusal.ts';
import type { Ask, Reply } from '../../../core/ask/ask.ts';
import type { Route } from '../../../core/intake/route.ts';
import { mayBeLater } from '../../../core/schedules/messages.ts';
import {
  closed,
  isPaused,
  later,
  LATER_MS,
  paused,
  resumed,
  skipped,
} from '../../../core/schedules/schedule.ts';
import type { Schedule } from '../../../core/schedules/schedule-record.ts';
import { nextMoment } from '../../../platform/time/clock-words.ts';
import { person, type Phrase, say, time } from '../../../platform/slack/phrase.ts';
import { turnRoutes } from './longer.ts';
import { answer, changeManaged, common, findManaged, type Managed, movedOn, said } from './managed.ts';
import { pauseModal } from './messages.ts';
import { PAUSE_EXAMPLES, parsePause } from './parse-end.ts';
import type { Bot } from '../../../core/bot/bot.ts';

/** The buttons of one schedule. Each is for its owner, an admin, or who may change all that it is about. */
export function manageRoutes(deps: Bot): readonly Route[] {
  return [
    skipRoute(deps),
    laterRoute(deps),
    ...turnRoutes(deps),
    pauseRoute(deps),
    weekRoute(deps),
    resumeRoute(deps),
    removeRoute(deps),
  ];
}

/** "Skip next", and "Not tonight" on a warning. */
function skipRoute(deps: Bot): Route {
  return {
    ...common('skip', 'skip the next run'),
    handle: async (ask, audit) => {
      const managed = await findManaged(deps, ask, audit);
      const { at } = managed;
      const { userId } = ask.actor;
      const did = say`${person(userId)} skipped the run due ${time(at)} of`;
      const { stands, isChanged } = await changeManaged(
        deps,
        managed,
        (one) => skipped(one, at, userId, deps.clock.now()),
        said(ask, did, say`${person(userId)} skipped this stop.`),
      );
      const isMine = stands.skipped?.at === at && stands.skipped.by === userId;
      if (!isChanged && !isMine) throw movedOn(stands, at);
      return answer(deps, ask, stands);
    },
  };
}

/** "One hour more" on a warning. */
function laterRoute(deps: Bot): Route {
  return {
    ...common('later', 'postpone the next run by an hour'),
    handle: async (ask, audit) => {
      const managed = await findManaged(deps, ask, audit);
      const { schedule, at } = managed;
      const { userId } = ask.actor;
      if (schedule.next?.at === at && !mayBeLater(schedule))
        throw new Refusal(
          'too-late',
          say`The run after it comes before that hour is over. Press Not tonight to skip it.`,
        );
      const to = say`${time(at + LATER_MS)}`;
      const did = say`${person(userId)} postponed the run due ${time(at)} to ${to} of`;
      const { stands, isChanged } = await changeManaged(
        deps,
        managed,
        (one) => later(one, at, at + LATER_MS, { by: userId, now: deps.clock.now() }),
        said(ask, did, say`${person(userId)} postponed this stop by an hour, to ${to}.`),
      );
      const isMine = stands.next?.at === at + LATER_MS && stands.next.laterBy === userId;
      if (!isChanged && !isMine) throw movedOn(stands, at);
      return answer(deps, ask, stands);
    },
  };
}

/** "Pause until…", with a modal for the time. */
function pauseRoute(deps: Bot): Route {
  const untilOf = (ask: Ask, { when }: Schedule): number | undefined =>
    parsePause(ask.typed ?? '', when.zone, deps.clock.now());
  return {
    ...common('pause', 'pause a schedule'),
    check: async (ask) => {
      const { schedule } = await findManaged(deps, ask, () => undefined);
      return untilOf(ask, schedule) === undefined ? badTime() : undefined;
    },
    handle: async (ask, audit) => {
      const managed = await findManaged(deps, ask, audit);
      const { schedule } = managed;
      if (ask.typed === undefined) {
        audit({ what: 'shown' });
        return pauseModal(schedule);
      }
      const until = untilOf(ask, schedule);
      if (until === undefined) throw new Refusal('bad-argument', badTime());
      return pauseUntil(deps, ask, managed, until);
    },
  };
}

/** "Not this week": paused until its next Monday begins. */
function weekRoute(deps: Bot): Route {
  return {
    ...common('week', 'leave a schedule out this week'),
    handle: async (ask, audit) => {
      const managed = await findManaged(deps, ask, audit);
      const { schedule } = managed;
      const monday = nextMoment({ weekday: 1, hour: 0, minute: 0 }, schedule.when.zone, deps.clock.now());
      return pauseUntil(deps, ask, managed, monday);
    },
  };
}

/** Throws a Refusal where no run comes after `until`, Unix ms. */
async function pauseUntil(deps: Bot, ask: Ask, managed: Managed, until: number): Promise<Reply> {
  const by = ask.actor.userId;
  const did = say`${person(by)} paused`;
  const how = say` until ${time(until)}`;
  const step = (one: Schedule): Schedule | undefined => paused(one, { at: deps.clock.now(), until, by });
  const says = said(ask, did, say`${did} the schedule${how}.`, how);
  const { stands, isChanged } = await changeManaged(deps, managed, step, says);
  if (!isChanged)
    throw new Refusal(
      'over',
      say`No run comes after ${time(until)}, so nothing was changed. Remove it instead.`,
    );
  return answer(deps, ask, stands);
}

function resumeRoute(deps: Bot): Route {
  return {
    ...common('resume', 'resume a schedule'),
    handle: async (ask, audit) => {
      const managed = await findManaged(deps, ask, audit);
      const now = deps.clock.now();
      const did = say`${person(ask.actor.userId)} resumed`;
      // Where it is not paused any more there is nothing to do, and what is shown says so.
      const { stands } = await changeManaged(
        deps,
        managed,
        (one) => (isPaused(one, now) ? resumed(one, now) : undefined),
        said(ask, did, did),
      );
      return answer(deps, ask, stands);
    },
  };
}

function removeRoute(deps: Bot): Route {
  return {
    ...common('remove', 'remove a schedule'),
    handle: async (ask, audit) => {
      const managed = await findManaged(deps, ask, audit);
      const by = ask.actor.userId;
      const did = say`${person(by)} removed`;
      const { stands } = await changeManaged(
        deps,
        managed,
        (one) => closed(one, { at: deps.clock.now(), why: 'removed', by }),
        said(ask, did, say`${person(by)} removed the schedule.`),
      );
      return answer(deps, ask, stands);
    },
  };
}

function badTime(): Phrase {
  return say`I can't read that time, or it has passed or is more than a year ahead. Try ${PAUSE_EXAMPLES}.`;
}
