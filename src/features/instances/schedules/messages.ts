import { namesUpTo } from '../../../core/instances/messages.ts';
import { question } from '../../../core/ask/question.ts';
import { offered } from '../../../core/offers/canceled.ts';
import { type Draft, DRAFTS, type Schedule } from '../../../core/schedules/schedule-record.ts';
import {
  leftOutWords,
  runWords,
  SCHEDULE_ROUTES,
  targetWords,
  turnButtons,
  whenWords,
} from '../../../core/schedules/messages.ts';
import type { List } from '../../../core/lists/list.ts';
import { exceptionWords, type When } from '../../../core/schedules/when.ts';
import { MOST_AGAIN } from '../../../core/schedules/keeping.ts';
import { lostLists } from '../../../core/schedules/holidays.ts';
import type { Run } from '../../../core/schedules/next-runs.ts';
import { isPaused } from '../../../core/schedules/schedule.ts';
import type { Instance } from '../../../platform/hosting/service.ts';
import type { Button, Message } from '../../../platform/slack/message.ts';
import { channel, join, person, type Phrase, say, time } from '../../../platform/slack/phrase.ts';
import { PAUSE_EXAMPLES } from './parse-end.ts';

/** Opens the form in which a schedule is picked together. */
export const FORM_BUTTON: Button = { label: 'New schedule…', routeId: SCHEDULE_ROUTES.form, value: 'form' };

/** The routes of the buttons that only these messages have. */
export const SAVE_ROUTE = 'instances.schedule-save';
export const LIST_SCHEDULES_ROUTE = 'instances.schedules';

const MAX_SHOWN = 15;
const PER_PAGE = 5;

/** What a preview shows besides the draft. */
export interface Found {
  readonly instances: readonly Instance[];
  /** Those that each run leaves out, as things stand. */
  readonly leftOut: Parameters<typeof leftOutWords>[0];
  readonly runs: readonly Run[];
  readonly remarks: readonly Phrase[];
  /** How the zone came about where none was typed. */
  readonly zoneRemark: Phrase | undefined;
}

/** What would be saved: when, for which instances, and the next runs. Pure. */
export function draftMessage(draft: Draft, draftId: string, found: Found): Message {
  const { target, when } = draft;
  const { instances, leftOut, runs, remarks, zoneRemark } = found;
  return question(
    {
      lines: [
        say`Save this schedule? Nothing has been saved yet.`,
        say`⏰ ${whenWords(when)}, for ${'filters' in target ? targetWords(target) : say`exactly ${namesUpTo(MAX_SHOWN, instances)}`}. Each run is done in your name.`,
        ...('filters' in target
          ? [
              instances.length === 0
                ? say`The filter is read again at each run. It matches no instance now.`
                : say`The filter is read again at each run. Now it matches ${instances.length}: ${namesUpTo(MAX_SHOWN, instances)}.`,
            ]
          : []),
        ...leftOutWords(leftOut),
        ...remarks,
        ...overnightWords(when),
        ...keptWords(when),
        ...endedWords(when),
        runs.length === 1 ? say`It runs once:` : say`The next ${runs.length} runs${leftOutOf(when)}:`,
      ],
      bullets: runs.map((run) => runWords(run, when.zone)),
      note: noteOf(zoneRemark, runs),
      buttons: [{ label: 'Save', routeId: SAVE_ROUTE, value: draftId, style: 'primary' }],
    },
    offered(DRAFTS, draftId),
  );
}

/** ", not on 24 Dec 2026". */
function leftOutOf(when: When): Phrase {
  return when.kind === 'weekly' ? exceptionWords(when.except) : say``;
}

/** What a day that is left out does to hours that go over midnight. */
function overnightWords(when: When): readonly Phrase[] {
  const [start, stop] = when.kind === 'weekly' && when.except ? when.rules : [];
  const isOvernight = start && stop && stop.hour * 60 + stop.minute < start.hour * 60 + start.minute;
  return isOvernight
    ? [say`A day that is left out has no stop either: what was started the evening before runs on.`]
    : [];
}

/** What becomes of what somebody starts while it is kept stopped. */
function keptWords(when: When): readonly Phrase[] {
  return when.kind === 'weekly' && when.keeps
    ? [
        say`What somebody starts between a stop and the next start is stopped again, up to ${MOST_AGAIN} times. I say so here ten minutes before, and anyone can postpone it or leave it on.`,
      ]
    : [];
}

/** What becomes of what it starts and stops once it is over. */
function endedWords(when: When): readonly Phrase[] {
  const isLeftOn =
    when.kind === 'weekly' && when.until !== undefined && when.rules.some(({ verb }) => verb === 'start');
  return isLeftOn ? [say`It ends with a start.`] : [];
}

/** One schedule, with what can be done with it. Pure. */
export function scheduleMessage(schedule: Schedule, now: number): Message {
  const { id, owner, channelId, target, when, next, closed, turns } = schedule;
  if (closed)
    return { lines: [say`⏰ ${whenWords(when)}, for ${targetWords(target)}: ${closedWords(closed)}.`] };
  const pause: Button = { label: 'Pause until…', routeId: SCHEDULE_ROUTES.pause, value: id };
  const resume: Button = { label: 'Resume', routeId: SCHEDULE_ROUTES.resume, value: id, style: 'primary' };
  const skip = next ? [{ label: 'Skip next', routeId: SCHEDULE_ROUTES.skip, value: `${id} ${next.at}` }] : [];
  return {
    lines: [
      say`⏰ ${whenWords(when)}, for ${targetWords(target)}.`,
      say`Owner: ${person(owner.userId)}, in ${channel(channelId)}. ${stateWords(schedule, now)}`,
      ...lastLines(schedule),
      ...lostLists(when).map((list) => say`⚠️ ${lostWords(list)}`),
    ],
    buttons:
      turns && next ? [...turnButtons(id, next.at)] : [isPaused(schedule, now) ? resume : pause, ...skip],
    menu: [
      ...(when.kind === 'weekly' && next && !isPaused(schedule, now)
        ? [{ label: 'Not this week', routeId: SCHEDULE_ROUTES.week, value: id }]
        : []),
      { label: 'Remove', routeId: SCHEDULE_ROUTES.remove, value: id },
    ],
  };
}

function closedWords({ why, by }: NonNullable<Schedule['closed']>): Phrase {
  const who = by === undefined ? say`somebody` : say`${person(by)}`;
  switch (why) {
    case 'removed':
      return say`removed by ${who}`;
    case 'kept':
      return say`called off by ${who}`;
    case 'overtaken':
      return say`over, since ${who} did something else with it`;
    case 'over':
    case 'not done':
      return say`over`;
    case 'paused for long':
      return say`removed, because nobody resumed it`;
  }
}

function stateWords(schedule: Schedule, now: number): Phrase {
  const { next, paused, open } = schedule;
  if (open) return say`Running now.`;
  const after = next ? say`Next: ${next.verb} ${time(next.at)}.` : say``;
  if (!paused || !isPaused(schedule, now)) return after;
  const who = paused.by === undefined ? say`the owner lost the right` : say`by ${person(paused.by)}`;
  return paused.until === undefined
    ? say`Paused: ${who}.`
    : say`Paused ${who} until ${time(paused.until)}. ${after}`;
}

function lostWords(list: string): Phrase {
  return say`The holidays ${list} aren't in the policy file any more, so it runs on them.`;
}

/** How a run went, after what it was. */
export const RESULTS = {
  begun: 'it ran',
  nothing: 'it found nothing to do',
  'not run': 'it was not run',
  'no right': 'its owner had no right to it',
} as const;

function lastLines({ last }: Schedule): readonly Phrase[] {
  return last ? [say`Last: ${last.verb} ${time(last.at)}, ${RESULTS[last.result]}.`] : [];
}

/** All of them, page by page; each leads to what can be done with it. Pure. */
export function schedulesList(rows: readonly Schedule[], now: number): List<Schedule> {
  return {
    routeId: LIST_SCHEDULES_ROUTE,
    words: [],
    rows,
    none: { lines: [] },
    perPage: PER_PAGE,
    bullet: (one, index) =>
      say`${index + 1}. ${whenWords(one.when)}, for ${targetWords(one.target)} · ${person(one.owner.userId)} in ${channel(one.channelId)} · ${stateWords(one, now)}${join(
        lostLists(one.when).map((list) => say` ⚠️ ${lostWords(list)}`),
        '',
      )}`,
    page: ({ rows: shown, from }) => ({
      lines: [say`${rows.length} schedules, the next to run first. Pick one to skip, pause or remove it.`],
      buttons: [FORM_BUTTON],
      menu: shown.map(({ id }, index) => ({
        label: `Schedule ${from + index + 1}`,
        routeId: SCHEDULE_ROUTES.show,
        value: id,
      })),
    }),
  };
}

/** The modal that asks until when. Pure. */
export function pauseModal({ id, target, when }: Schedule): Message {
  const lines = [say`Pause the schedule for ${targetWords(target)} until when? Times are in ${when.zone}.`];
  return {
    lines,
    modal: {
      routeId: SCHEDULE_ROUTES.pause,
      value: id,
      title: 'Pause until',
      lines,
      field: { label: 'Until when', hint: PAUSE_EXAMPLES },
      submit: 'Pause',
    },
  };
}

/** What can be typed to put a run off, as the field's hint says it. */
export const LONGER_EXAMPLES = '2h, 20:00, friday or 2026-12-24 18:00';

/** The modal that asks how much longer. `zone`: of whoever types it. Pure. */
export function longerModal(
  { id, target }: Schedule,
  { verb, at }: NonNullable<Schedule['next']>,
  zone: string,
): Message {
  const lines = [
    say`The ${verb} of ${targetWords(target)} is due ${time(at)}. How much later, or until when? Times are in ${zone}.`,
  ];
  return {
    lines,
    modal: {
      routeId: SCHEDULE_ROUTES.longer,
      value: `${id} ${at}`,
      title: 'Longer',
      lines,
      field: { label: 'How much later, or until when', hint: LONGER_EXAMPLES },
      submit: 'Put off',
    },
  };
}

/** What somebody did with a schedule, for its channel. Pure. */
export function changedMessage(
  { target, owner, next, closed }: Schedule,
  did: Phrase,
  how: Phrase = say``,
): Message {
  const after = next && !closed ? say` Next: ${next.verb} ${time(next.at)}.` : say``;
  return {
    lines: [say`⏰ ${did} the schedule of ${person(owner.userId)} for ${targetWords(target)}${how}.${after}`],
  };
}

function noteOf(zoneRemark: Phrase | undefined, runs: readonly Run[]): Phrase | undefined {
  const reminder = runs.some(({ verb }) => verb === 'stop')
    ? say`Ten minutes before a stop, I'll post a reminder here; anyone can postpone it.`
    : undefined;
  const parts = [zoneRemark, reminder].filter((one) => one !== undefined);
  return parts.length > 0 ? join(parts, ' ') : undefined;
}
