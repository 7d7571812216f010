import { nameOf } from '../../../core/instances/messages.ts';
import { question } from '../../../core/ask/question.ts';
import { offered } from '../../../core/offers/canceled.ts';
import { type Draft, DRAFTS } from '../../../core/schedules/draft.ts';
import {
  leftOutWords,
  runWords,
  SCHEDULE_ROUTES,
  targetWords,
  whenWords,
} from '../../../core/schedules/messages.ts';
import type { Run } from '../../../core/schedules/next-runs.ts';
import { isPaused, type Schedule } from '../../../core/schedules/schedule.ts';
import type { Instance } from '../../../platform/hosting/service.ts';
import type { Button, Message } from '../../../platform/slack/message.ts';
import { channel, join, person, type Phrase, say, time } from '../../../platform/slack/phrase.ts';
import { PAUSE_EXAMPLES } from './parse-pause.ts';

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
        say`⏰ ${whenWords(when)}, for ${'filters' in target ? targetWords(target) : say`exactly ${several(instances)}`}. Each run is done in your name.`,
        ...('filters' in target
          ? [
              instances.length === 0
                ? say`The filter is read again at each run. It matches no instance now.`
                : say`The filter is read again at each run. Now it matches ${instances.length}: ${several(instances)}.`,
            ]
          : []),
        ...leftOutWords(leftOut),
        ...remarks,
        runs.length === 1 ? say`It runs once:` : say`The next ${runs.length} runs:`,
      ],
      bullets: runs.map((run) => runWords(run, when.zone)),
      note: noteOf(zoneRemark, runs),
      buttons: [{ label: 'Save', routeId: SAVE_ROUTE, value: draftId, style: 'primary' }],
    },
    offered(DRAFTS, draftId),
  );
}

function several(instances: readonly Pick<Instance, 'id' | 'name'>[]): Phrase {
  const rest = instances.length - MAX_SHOWN;
  const shown = join(instances.slice(0, MAX_SHOWN).map(nameOf), ', ');
  return rest > 0 ? say`${shown} and ${rest} more` : shown;
}

/** One schedule, with what can be done with it. Pure. */
export function scheduleMessage(schedule: Schedule, now: number): Message {
  const { id, owner, channelId, target, when, next, closed } = schedule;
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
    ],
    buttons: [isPaused(schedule, now) ? resume : pause, ...skip],
    menu: [{ label: 'Remove', routeId: SCHEDULE_ROUTES.remove, value: id }],
  };
}

function closedWords({ why, by }: NonNullable<Schedule['closed']>): Phrase {
  if (why === 'removed' && by !== undefined) return say`removed by ${person(by)}`;
  return why === 'over' ? say`over` : say`removed, because nobody resumed it`;
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

const RESULTS = {
  begun: 'it ran',
  nothing: 'it found nothing to do',
  'not run': 'it was not run',
  'no right': 'its owner had no right to it',
} as const;

function lastLines({ last }: Schedule): readonly Phrase[] {
  return last ? [say`Last: ${last.verb} ${time(last.at)}, ${RESULTS[last.result]}.`] : [];
}

/** All of them, page by page; each leads to what can be done with it. `from` counts from 0. Pure. */
export function schedulesList(schedules: readonly Schedule[], from: number, now: number): Message {
  const page = schedules.slice(from, from + PER_PAGE);
  const number = (index: number): number => from + index + 1;
  const pageTo = (label: string, to: number): Button => ({
    label,
    routeId: LIST_SCHEDULES_ROUTE,
    value: String(to),
  });
  const paging = [
    ...(from > 0 ? [pageTo('Previous', Math.max(0, from - PER_PAGE))] : []),
    ...(from + page.length < schedules.length ? [pageTo('Next', from + PER_PAGE)] : []),
  ];
  return {
    lines: [say`${schedules.length} schedules, the next to run first. Pick one to skip, pause or remove it.`],
    bullets: page.map(
      (one, index) =>
        say`${number(index)}. ${whenWords(one.when)}, for ${targetWords(one.target)} · ${person(one.owner.userId)} in ${channel(one.channelId)} · ${stateWords(one, now)}`,
    ),
    ...(paging.length > 0 ? { buttons: paging } : {}),
    menu: page.map(({ id }, index) => ({
      label: `Schedule ${number(index)}`,
      routeId: SCHEDULE_ROUTES.show,
      value: id,
    })),
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
