import { Refusal } from '../../../core/refusal.ts';
import type { Ask } from '../../../core/ask/ask.ts';
import type { Route } from '../../../core/intake/route.ts';
import { closed, later, runAfterNext } from '../../../core/schedules/schedule.ts';
import type { Schedule } from '../../../core/schedules/schedule-record.ts';
import { readTypedEnd } from '../../../core/sentences/end.ts';
import { momentOf } from '../../../core/sentences/moment.ts';
import { person, type Phrase, say, time } from '../../../platform/slack/phrase.ts';
import { clockAt } from '../../../platform/time/zoned-time.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { MAX_DAYS_AHEAD } from '../../../core/schedules/when.ts';
import { answer, changeManaged, common, findManaged, movedOn, said } from './managed.ts';
import { LONGER_EXAMPLES, longerModal } from './messages.ts';
import type { Bot } from '../../../core/bot/bot.ts';

/** "Longer…" and "Keep it", of what turns something around. */
export function turnRoutes(deps: Bot): readonly Route[] {
  return [longerRoute(deps), keepRoute(deps)];
}

/** "Longer…", with a modal for how much, or until when. */
function longerRoute(deps: Bot): Route {
  return {
    ...common('longer', 'put the next run off'),
    check: async (ask) => {
      const { schedule, at } = await findManaged(deps, ask, () => undefined);
      const to = await laterTo(deps, ask, schedule, at);
      return typeof to === 'number' ? undefined : to;
    },
    handle: async (ask, audit) => {
      const managed = await findManaged(deps, ask, audit);
      const { schedule, at } = managed;
      const { userId } = ask.actor;
      if (ask.typed === undefined) {
        if (schedule.next?.at !== at) throw movedOn(schedule, at);
        audit({ what: 'shown' });
        const { zone } = await momentOf(deps, userId, deps.clock.now());
        return longerModal(schedule, schedule.next, zone);
      }
      const to = await laterTo(deps, ask, schedule, at);
      if (typeof to !== 'number') throw new Refusal('bad-argument', to);
      audit({ args: { schedule: schedule.id, until: to } });
      const did = say`${person(userId)} postponed the run due ${time(at)} to ${time(to)} of`;
      const isOnCard = await hasCard(deps, schedule);
      const { stands, isChanged } = await changeManaged(
        deps,
        managed,
        (one) => later(one, at, to, { by: userId, now: deps.clock.now() }),
        (now, before) =>
          isOnCard && before.next?.warnedAt === undefined
            ? [] // Its card says it.
            : said(ask, did, say`${person(userId)} postponed this stop to ${time(to)}.`)(now, before),
      );
      const isMine = stands.next?.at === to && stands.next.laterBy === userId;
      if (!isChanged && !isMine) throw movedOn(stands, at);
      return answer(deps, ask, stands);
    },
  };
}

/** "Keep it": what was begun stays as it is. */
function keepRoute(deps: Bot): Route {
  return {
    ...common('keep', 'leave it as it is'),
    handle: async (ask, audit) => {
      const managed = await findManaged(deps, ask, audit);
      const { schedule, at } = managed;
      const by = ask.actor.userId;
      const did = say`${person(by)} called off`;
      const isOnCard = await hasCard(deps, schedule);
      const { stands, isChanged } = await changeManaged(
        deps,
        managed,
        (one) => (one.next ? closed(one, { at: deps.clock.now(), why: 'kept', by }) : undefined),
        (now, before) =>
          isOnCard && before.next?.warnedAt === undefined
            ? [] // Its card says it.
            : said(ask, did, say`${person(by)} called this ${before.next?.verb ?? 'run'} off.`)(now, before),
      );
      const isMine = stands.closed?.why === 'kept' && stands.closed.by === by;
      if (!isChanged && !isMine) throw movedOn(stands, at);
      return answer(deps, ask, stands);
    },
  };
}

/** Whether a card shows what becomes of it: that of what it turns around, as long as that is known. */
async function hasCard({ operations }: Bot, { turns }: Schedule): Promise<boolean> {
  return turns !== undefined && (await operations.find(turns.operationId)) !== undefined;
}

/** When it comes after what was typed: so much later, or then by who types it, Unix ms; else why that can't be. */
async function laterTo(
  deps: Bot,
  { typed = '', actor }: Ask,
  schedule: Schedule,
  at: number,
): Promise<number | Phrase> {
  const moment = await momentOf(deps, actor.userId, deps.clock.now());
  const then = (ms: number): Phrase => shownIn(ms, moment.zone);
  const to = readTypedEnd(typed, moment, { since: at })?.until;
  if (to === undefined) return say`I can't read that time, or it has passed. Try ${LONGER_EXAMPLES}.`;
  if (to <= at) return say`That is ${then(to)}, which isn't after ${then(at)}. Try ${LONGER_EXAMPLES}.`;
  if (to > moment.at + MAX_DAYS_AHEAD * DAY_MS)
    return say`That is ${then(to)}, more than ${MAX_DAYS_AHEAD} days ahead, which is the furthest I go.`;
  const after = runAfterNext(schedule);
  return after && to >= after.at
    ? say`That is ${then(to)}, and its run after this one comes ${then(after.at)}. Give me a time before that.`
    : to;
}

/** A moment by the clock of a zone: Slack shows nobody's own below a field. */
function shownIn(at: number, zone: string): Phrase {
  const [date = '', clock = ''] = clockAt(at, zone).toString({ smallestUnit: 'minute' }).split('T');
  return say`${date} ${clock} (${zone})`;
}
