import { isOwn } from '../../../platform/slack/ids.ts';
import { z } from 'zod';
import { routeTool } from '../../../core/agents/tool.ts';
import { sightOf } from '../../../core/lookup/sight.ts';
import { inWords } from '../../../core/ask/mend-words.ts';
import { askedPage } from '../../../core/lists/asked-page.ts';
import { showList } from '../../../core/lists/list.ts';
import { withInstead } from '../../../core/intake/typed-button.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Ask, Reply } from '../../../core/ask/ask.ts';
import type { Route } from '../../../core/intake/route.ts';
import { SCHEDULE_ROUTES } from '../../../core/schedules/messages.ts';
import type { Schedule } from '../../../core/schedules/schedule-record.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { say } from '../../../platform/slack/phrase.ts';
import { FORM_BUTTON, LIST_SCHEDULES_ROUTE, scheduleMessage, schedulesList } from './messages.ts';
import type { Bot } from '../../../core/bot/bot.ts';

/** `/instances schedules`: all of them, or the only one with what can be done with it. */
export function schedulesRoute(deps: Bot): Route {
  return {
    id: LIST_SCHEDULES_ROUTE,
    verb: 'schedules',
    spoken: {
      asks: [
        [
          '(when|what time) (does|will|do|is) <x> (come|go|start|stop|turn|run|starting|stopping|coming|going) *',
          '',
        ],
        ['let <x> run *', ''],
        ['(what|which|any|list|show) * (schedule|schedules|scheduled)', ''],
        [
          '(anything|something|what) * (going to|will) <do> * (tonight|tomorrow|itself|today|later|<span>|<when>)',
          '',
        ],
        ['(anything|something) * <do> by itself', ''],
        ['(delete|remove|drop|cancel|end|change|move|edit) * (schedule|schedules)', ''],
        [
          '(stop|end|cancel|delete|remove|drop|pause|disable|kill|turn off|switch off) (schedule|schedules|timer|timers) (of|for|on|from|with) <x>',
          '',
        ],
        [
          '(stop|end|cancel|delete|remove|drop|pause|disable|kill|turn off|switch off) <x> (schedule|schedules)',
          '',
        ],
        '(schedule|schedules|scheduled|crons|timers|timer)',
        'keep * (on|running|up) * (longer|hour|more)',
        ['keep <x> (on|running|up)', ''],
        [
          '(turn|switch|power) <x> (off|on) (at|in|during|over|every) (night|nights|evening|weekend|weekends|weekdays)',
          '',
        ],
        ['(stop|start|restart) <x> (at|in|over|every) (night|nights|evening|weekend|weekends|weekdays)', ''],
      ],
    },
    permission: 'instances:read',
    writes: false,
    usage: '',
    summary: 'what is scheduled, with its next run; skip, pause or remove it',
    tool: routeTool({
      name: 'list_schedules',
      title: 'List schedules',
      description: 'Lists what is scheduled to start and stop, with the next run of each.',
      input: z.object({}),
      words: () => [],
    }),
    handle: (ask) => listSchedules(deps, ask),
  };
}

const WHAT_AND_WHEN = inWords('Names or a filter, and when', 'name:staging-* stop at 20:00 mon-fri');

/** All of them, or the only one with what can be done with it. */
export async function listSchedules(deps: Bot, ask: Ask): Promise<Reply> {
  const all = await listSeen(deps, ask);
  const now = deps.clock.now();
  const [only] = all;
  if (!only) {
    const none = {
      lines: [say`Nothing is scheduled. What do you want to schedule?`],
      buttons: [FORM_BUTTON],
    };
    const route = { id: SCHEDULE_ROUTES.set, verb: 'schedule' };
    return withInstead(deps.offers, route, none, [[WHAT_AND_WHEN]], [], ask);
  }
  if (all.length === 1) {
    const one = await forReader(deps, ask, only, now);
    return { ...one, menu: [...(one.menu ?? []), FORM_BUTTON] };
  }
  const page = await askedPage(deps, ask, '/instances schedules');
  return showList(deps, ask, page, schedulesList(all, now));
}

/** The button "Show" of one schedule. */
export function showScheduleRoute(deps: Bot): Route {
  return {
    id: SCHEDULE_ROUTES.show,
    verb: 'show the schedule',
    permission: 'instances:read',
    writes: false,
    summary: 'one schedule',
    handle: async (ask) => {
      const schedule = await deps.schedules.find(ask.value ?? '');
      const seen = schedule && (await seenBy(deps, ask, [schedule]))[0];
      if (!seen) throw new Refusal('gone', say`I have no record of that schedule any more.`);
      return forReader(deps, ask, seen, deps.clock.now());
    },
  };
}

/** One schedule, with buttons for somebody who may press them: the press asks about each of its instances. */
async function forReader(
  { access }: Pick<Bot, 'access'>,
  { actor, place: { channelId } }: Ask,
  schedule: Schedule,
  now: number,
): Promise<Message> {
  const { buttons = [], menu = [], ...shown } = scheduleMessage(schedule, now);
  const decision = await access.check(actor, 'instances:power', 'any', { channelId });
  const mayBe = decision.allowed || decision.reason === 'frozen' || schedule.owner.userId === actor.userId;
  return mayBe ? { ...shown, buttons, menu } : shown;
}

/** All that this person may know of, the next to run first. */
async function listSeen(deps: Bot, ask: Ask): Promise<readonly Schedule[]> {
  const seen = await seenBy(deps, ask, await deps.schedules.list());
  const nextAt = ({ next }: Schedule): number => next?.at ?? Number.POSITIVE_INFINITY;
  return seen
    .filter(({ closed }) => !closed)
    .toSorted((one, other) => (nextAt(one) < nextAt(other) ? -1 : Number(nextAt(one) > nextAt(other))));
}

/** Without those that are only about instances that this person may not see, and without the names of such instances. */
export async function seenBy(
  { access }: Pick<Bot, 'access'>,
  { actor, place: { channelId } }: Ask,
  schedules: readonly Schedule[],
): Promise<readonly Schedule[]> {
  const { maySee, mayKnow } = await sightOf(access, actor, channelId);
  return schedules.flatMap((schedule) => {
    const { target, owner } = schedule;
    if ('filters' in target) {
      return mayKnow({ words: target.filters, savedBy: owner.userId }) ? [schedule] : [];
    }
    if (isOwn(actor, owner.userId)) return [schedule];
    const instances = target.instances.filter(maySee);
    return instances.length === 0 ? [] : [{ ...schedule, target: { instances } }];
  });
}
