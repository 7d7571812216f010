import { names } from '../batches/words.ts';
import { wayBackButtons } from '../operations/way-back.ts';
import type { Power } from '../../platform/hosting/service.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { join, person, type Phrase, plain, say, time } from '../../platform/slack/phrase.ts';
import { clockWords, WEEKDAYS } from '../../platform/time/clock-words.ts';
import { clockAt } from '../../platform/time/zoned-time.ts';
import { exceptionWords, type When } from './when.ts';
import type { Run } from './next-runs.ts';
import { LATER_MS, runAfterNext, warningIdOf } from './schedule.ts';
import type { OpenRun, Schedule, ScheduleTarget } from './schedule-record.ts';
import type { Said } from '../outbox/outbox.ts';
import type { Started } from './started.ts';

/** The verb that sets a schedule, and the buttons on what one says. */
export const SCHEDULE_ROUTES = {
  set: 'schedules.schedule',
  form: 'schedules.schedule-form',
  show: 'schedules.schedule-show',
  later: 'schedules.schedule-later',
  longer: 'schedules.schedule-longer',
  keep: 'schedules.schedule-keep',
  week: 'schedules.schedule-week',
  skip: 'schedules.schedule-skip',
  pause: 'schedules.schedule-pause',
  resume: 'schedules.schedule-resume',
  remove: 'schedules.schedule-remove',
} as const;

const MAX_NAMED = 8;
const MAX_TARGET = 150;
const MAX_OTHERS = 5;

/** "stg-1, stg-2", or the filters as they were typed. Foreign text. Pure. */
export function targetWords(target: ScheduleTarget): Phrase {
  if ('instances' in target) return names(target.instances, MAX_NAMED);
  return [{ type: 'text', text: plain(target.filters.join(' '), MAX_TARGET) }];
}

/** "stop at 20:00, Mon–Fri (Europe/Berlin), not on 24 Dec 2026", "stop once at 2026-12-24 18:00 (UTC)". Pure. */
export function whenWords(when: When): Phrase {
  const { zone } = when;
  if (when.kind === 'once') return say`${when.verb} once at ${when.date} ${clockWords(when)} (${zone})`;
  const [first, second] = when.rules;
  const isSameDays = first && second && first.days.join() === second.days.join();
  const parts = when.rules.map((rule) =>
    isSameDays || when.rules.length === 1
      ? say`${rule.verb} at ${clockWords(rule)}`
      : say`${rule.verb} at ${clockWords(rule)}, ${dayWords(rule.days)},`,
  );
  const days = first && (isSameDays || !second) ? say`, ${dayWords(first.days)}` : say``;
  const kept = when.keeps ? say`, kept stopped in between` : say``;
  return say`${join(parts, ' and ')}${days} (${zone})${exceptionWords(when.except)}${kept}${untilWords(when)}`;
}

function untilWords({ until, zone }: Extract<When, { readonly kind: 'weekly' }>): Phrase {
  if (until === undefined) return say``;
  return say`, until ${clockAt(until, zone).toString({ smallestUnit: 'minute' }).replace('T', ' ')}`;
}

const WHOLE_WEEK = 7;

/** "every day", "Mon–Fri", "Sat, Sun". Pure. */
function dayWords(days: readonly number[]): string {
  if (days.length === WHOLE_WEEK) return 'every day';
  const sorted = days.toSorted((one, other) => one - other);
  const [first = 1] = sorted;
  const last = sorted.at(-1) ?? first;
  const isRange = sorted.length > 2 && last - first === sorted.length - 1;
  return isRange ? `${short(first)}–${short(last)}` : sorted.map(short).join(', ');
}

function short(day: number): string {
  return (WEEKDAYS[day - 1] ?? '').slice(0, 3);
}

/** "Fri 2026-11-27 20:00 (Europe/Berlin): stop", and what the clock does that day where that matters. Pure. */
export function runWords({ verb, asked, shown, odd }: Run, zone: string): Phrase {
  const [date = '', clock = ''] = shown.split('T');
  const weekday = short(new Date(`${date}T00:00Z`).getUTCDay() || WHOLE_WEEK);
  return say`${weekday} ${date} ${clock} (${zone}): ${verb}${oddWords(odd, asked)}`;
}

function oddWords(odd: Run['odd'], asked: string): Phrase {
  const clock = asked.split('T')[1] ?? '';
  if (odd === 'gap') return say`. The clock skips ${clock} that day, so it runs right after`;
  if (odd === 'twice') return say`. The clock shows ${clock} twice that day; it runs the first time`;
  return say``;
}

/** That it was saved, for its channel. Pure. */
export function savedMessage({ id, owner, target, when, next }: Schedule): Message {
  const first = next ? say` Next: ${next.verb} ${time(next.at)}.` : say``;
  return {
    lines: [
      say`⏰ ${person(owner.userId)} scheduled: ${whenWords(when)}, for ${targetWords(target)}.${first}`,
    ],
    buttons: [{ label: 'Show', routeId: SCHEDULE_ROUTES.show, value: id }],
  };
}

/** That a stop comes soon, for its channel, with what can be done about it. Pure. */
export function warningMessage(
  schedule: Schedule,
  { at }: { readonly at: number },
  started: readonly Started[],
): Message {
  const { id, owner, target, turns } = schedule;
  if (turns)
    return {
      lines: [
        say`⏰ ${targetWords(target)} will be stopped ${time(at)}, as ${person(owner.userId)} asked when it was started.`,
      ],
      buttons: turnButtons(id, at),
    };
  const { zone } = schedule.when;
  const value = `${id} ${at}`;
  const later: Button = { label: 'One hour more', routeId: SCHEDULE_ROUTES.later, value };
  return {
    lines: [
      say`⏰ ${targetWords(target)} will be stopped ${time(at)}, by the schedule of ${person(owner.userId)} in ${zone}.`,
      ...startedWords(started),
    ],
    buttons: [
      ...(mayBeLater(schedule) ? [later] : []),
      { label: 'Not tonight', routeId: SCHEDULE_ROUTES.skip, value },
    ],
    menu: [{ label: 'Longer…', routeId: SCHEDULE_ROUTES.longer, value }],
  };
}

/** Who started what: they hear that it is stopped. */
function startedWords(started: readonly Started[]): readonly Phrase[] {
  const people = [...new Set(started.map(({ userId }) => userId))].slice(0, MAX_OTHERS);
  if (people.length === 0) return [];
  const each = people.map((userId) => {
    const theirs = started.filter((one) => one.userId === userId);
    return say`${names(theirs, MAX_NAMED)} by ${person(userId)}`;
  });
  return [say`Started since the last stop: ${join(each, '; ')}.`];
}

/** What can be done about the next run of a schedule that turns something around. */
export function turnButtons(scheduleId: string, at: number): readonly Button[] {
  const routes = { longerRoute: SCHEDULE_ROUTES.longer, keepRoute: SCHEDULE_ROUTES.keep };
  return wayBackButtons({ scheduleId, verb: 'stop', at }, false, routes);
}

/** Whether the next run can come an hour later: not where another comes before that. Pure. */
export function mayBeLater(schedule: Schedule): boolean {
  const after = runAfterNext(schedule);
  return !after || !schedule.next || after.at > schedule.next.at + LATER_MS;
}

/** What became of a stop that was warned of, in place of the warning and its buttons. Pure. */
function warningOver({ owner, target, when: { zone } }: Schedule, at: number, became: Phrase): Message {
  return {
    lines: [say`⏰ ${became}`],
    note: say`The stop of ${targetWords(target)}, due ${time(at)}, by the schedule of ${person(owner.userId)} in ${zone}.`,
  };
}

/** What stands on the card of a run. Pure. */
export function runRemark({ owner, when, turns }: Schedule): Phrase {
  const { verb } = when.kind === 'once' ? when : { verb: undefined };
  if (turns && verb)
    return say`As ${person(owner.userId)} asked when it was ${verb === 'stop' ? 'started' : 'stopped'}: ${whenWords(when)}.`;
  return say`By the schedule of ${person(owner.userId)}: ${whenWords(when)}.`;
}

/** That a run found nothing to do, and what it found. Pure. */
export function nothingMessage(
  schedule: Schedule,
  { verb, at }: OpenRun,
  matched: number,
  skipped: readonly Phrase[],
): Message {
  const found =
    matched === 0 ? say`no instance matches` : say`${matched} ${matched === 1 ? 'matches' : 'match'}`;
  return {
    lines: [
      say`⏰ Nothing to ${verb} for the schedule of ${person(schedule.owner.userId)} (${time(at)}), ${targetWords(schedule.target)}: ${found}.`,
    ],
    ...(skipped.length > 0 ? { bullets: skipped } : {}),
  };
}

/** That a run was not done, and is not done late. `count`: how many in a row. Pure. */
export function notRunMessage(
  schedule: Schedule,
  { verb, at }: { readonly verb: Power; readonly at: number },
  why: Phrase,
  count = 1,
): Message {
  const { owner, target, next, when } = schedule;
  const others = count > 1 ? say` Nor were the ${count - 1} runs after it.` : say``;
  const after = next ? say` Next: ${next.verb} ${time(next.at)}.` : say``;
  return {
    lines: [
      say`⚠️ The ${verb} of ${targetWords(target)} that was due ${time(at)} was not run: ${why}. It won't be run late.${others}${after}`,
    ],
    note: say`Schedule of ${person(owner.userId)}: ${whenWords(when)}.`,
    buttons: [{ label: 'Show', routeId: SCHEDULE_ROUTES.show, value: schedule.id }],
  };
}

/** That it is paused since its owner may not do it any more. Pure. */
export function noRightMessage(schedule: Schedule, { verb, at }: OpenRun): Message {
  const { owner, target, when } = schedule;
  return {
    lines: [
      say`⏸️ The schedule of ${person(owner.userId)} is paused: they can't ${verb} ${targetWords(target)} any more. Nothing was done at ${time(at)}.`,
      say`An admin can give them the role back and resume it. Or remove it, and someone else schedules it anew: /instances schedules.`,
    ],
    note: say`${whenWords(when)}.`,
  };
}

/** That it was removed because nobody resumed it. Pure. */
export function forgottenMessage({ owner, target, when }: Schedule): Message {
  return {
    lines: [
      say`🗑️ The schedule of ${person(owner.userId)} for ${targetWords(target)} was removed: nobody resumed it for 90 days.`,
    ],
    note: say`${whenWords(when)}.`,
  };
}

/** Names of those that are left out, by the reason. */
export function leftOutWords(
  skipped: readonly { readonly why: Phrase; readonly those: readonly { readonly name: string }[] }[],
): readonly Phrase[] {
  return skipped
    .slice(0, MAX_OTHERS)
    .map(({ why, those }) =>
      those.length === 1
        ? say`Skipped ${names(those)}: it ${why}`
        : say`Skipped ${those.length}, each ${why}: ${names(those)}`,
    );
}

/** What a warning says in place of its buttons, where its channel was warned. Pure. */
export function saysWarningOver(
  schedule: Schedule,
  next: Pick<NonNullable<Schedule['next']>, 'at' | 'warnedAt'> | undefined,
  became: Phrase,
): readonly Said[] {
  if (next?.warnedAt === undefined) return [];
  return [{ id: warningIdOf(schedule, next), content: warningOver(schedule, next.at, became), isEdit: true }];
}
