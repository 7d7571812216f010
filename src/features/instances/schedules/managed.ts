import { Refusal } from '../../../core/refusal.ts';
import type { Ask, Reply } from '../../../core/ask/ask.ts';
import type { AuditAttempt, Route } from '../../../core/intake/route.ts';
import { findTargets } from '../../../core/schedules/find-targets.ts';
import type { AccessRule } from '../../../core/policy/decide.ts';
import { NoRight } from '../../../core/policy/no-access.ts';
import type { Commit } from '../../../core/records/commit.ts';
import {
  saysWarningOver,
  SCHEDULE_ROUTES,
  targetWords,
  turnButtons,
} from '../../../core/schedules/messages.ts';
import { nextRuns } from '../../../core/schedules/next-runs.ts';
import { onlyTarget } from '../../../core/schedules/schedule.ts';
import type { Schedule } from '../../../core/schedules/schedule-record.ts';
import type { ScheduleStep } from '../../../core/schedules/schedule-store.ts';
import type { Power } from '../../../platform/hosting/service.ts';
import { ago, person, type Phrase, say, time } from '../../../platform/slack/phrase.ts';
import { seenBy } from './list.ts';
import { changedMessage, RESULTS, scheduleMessage } from './messages.ts';
import type { Bot } from '../../../core/bot/bot.ts';

/** What a button of one schedule is in common with the others: no command types it, and its schedule says who may press it. */
export function common(
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

/** A schedule that somebody may change. `using`: the part of a commit that uses up what allows it. */
export interface Managed extends Required<Pick<ScheduleStep, 'using'>> {
  readonly schedule: Schedule;
}

/** The schedule that a button is about, and the moment in its value, provided that this person may change it. Throws a Refusal. */
export async function findManaged(
  deps: Bot,
  ask: Ask,
  audit: AuditAttempt,
): Promise<Managed & { readonly at: number }> {
  const [id = '', at = ''] = (ask.value ?? '').split(' ');
  audit({ args: { schedule: id } });
  const schedule = await deps.schedules.find(id);
  if (schedule) audit(onlyTarget(schedule));
  if (!schedule)
    throw new Refusal('gone', say`I have no record of that schedule any more, so nothing was changed.`);
  const rules = await rulesThatLet(deps, ask, schedule);
  const using = (): Promise<Commit<'moved'>> => deps.access.using(rules, ask.id);
  return { schedule, using, at: /^\d{1,16}$/.test(at) ? Number(at) : 0 };
}

/**
 * What lets this person change it, besides who they are. Throws a Refusal unless they are its owner, an admin, or may change all
 * that it is about now. A freeze is no reason: what is put off or left out changes no instance.
 */
async function rulesThatLet(
  deps: Bot,
  { id, actor, place: { channelId } }: Ask,
  schedule: Schedule,
): Promise<readonly AccessRule[]> {
  if (actor.userId === schedule.owner.userId) return [];
  const { access, clock } = deps;
  if ((await access.check(actor, 'access:grant', 'all', { channelId })).allowed) return [];
  const { instances } = await findTargets(deps, schedule, clock.now());
  const decide = await access.decisions(actor, 'instances:power', { channelId, operationId: id });
  const forbidden = instances.find((one) => {
    const decision = decide(one);
    return !decision.allowed && decision.reason !== 'frozen';
  });
  if (instances.length > 0 && !forbidden)
    return instances.map(decide).flatMap((one) => (one.allowed ? one.rule : []));
  const orOwner = say`The schedule for ${targetWords(schedule.target)} is of ${person(schedule.owner.userId)}, who can do it as well. Nothing was changed.`;
  try {
    await access.require(actor, 'instances:power', forbidden ?? 'any', { channelId, operationId: id });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw withLine(error, orOwner);
  }
  // What its filters find nothing of is its owner's alone, and the admins'.
  throw new Refusal('no-right', say`It matches no instance now. Only an admin can do that, and: ${orOwner}`);
}

/** A refusal that says one thing more. */
function withLine(error: Refusal, line: Phrase): Refusal {
  const longer = { ...error.answer, lines: [...error.answer.lines, line] };
  return error instanceof NoRight
    ? new NoRight(longer, error.permission, error.target)
    : new Refusal(error.code, longer);
}

/** What its channel reads of somebody's press: on the warning, where there is one, else by itself. */
export function said(ask: Ask, did: Phrase, became: Phrase, how?: Phrase): NonNullable<ScheduleStep['says']> {
  return (after, before) => {
    if (before.next?.warnedAt !== undefined && before.next.at !== after.next?.at)
      return saysWarningOver(after, before.next, became);
    const { id, channelId } = after;
    return [{ id: `schedule-${id}-${ask.id}`, to: { channelId }, content: changedMessage(after, did, how) }];
  };
}

/**
 * Changes a schedule by a press. Gives it as it stands then, which is what is said where the press came to nothing: somebody else may
 * have changed it meanwhile, or its run begun.
 */
export async function changeManaged(
  { schedules }: Pick<Bot, 'schedules'>,
  { schedule, using }: Managed,
  step: (schedule: Schedule) => Schedule | undefined,
  says: NonNullable<ScheduleStep['says']>,
): Promise<{ readonly stands: Schedule; readonly isChanged: boolean }> {
  const after = await schedules.change(schedule.id, step, { says, using });
  const stands = after ?? (await schedules.find(schedule.id)) ?? schedule;
  return { stands, isChanged: after !== undefined };
}

/** Who pressed it in a message of their own sees the schedule in its place; else the channel's message says it. */
export async function answer(deps: Bot, ask: Ask, after: Schedule): Promise<Reply> {
  const [seen = after] = await seenBy(deps, ask, [after]);
  return ask.replaces ? scheduleMessage(seen, deps.clock.now()) : undefined;
}

/** What became of the run due at `at`, Unix ms, that somebody pressed something of, with what can be pressed of it now. */
export function movedOn(schedule: Schedule, at: number): Refusal {
  const { id, next, when, turns } = schedule;
  const after = next ? say` Next: ${next.verb} ${time(next.at)}.` : say``;
  return new Refusal('over', {
    lines: [say`${becameOf(schedule, at)}, so nothing was changed.${after}`],
    ...(turns && next && when.kind === 'once' ? { buttons: turnButtons(id, next.at) } : {}),
  });
}

/** "@bob called the stop of staging off 2 min ago". */
function becameOf(schedule: Schedule, at: number): Phrase {
  const { target, next, open, last, skipped, paused, closed } = schedule;
  const verb = verbAt(schedule, at) ?? 'run';
  const run = say`the ${verb} of ${targetWords(target)}`;
  const since = say`The ${verb} of ${targetWords(target)}`;
  if (closed && closed.why !== 'over') {
    const who = closed.by === undefined ? say`Somebody` : say`${person(closed.by)}`;
    switch (closed.why) {
      case 'kept':
        return say`${who} called ${run} off ${ago(closed.at)}`;
      case 'removed':
        return say`${who} removed the schedule for ${targetWords(target)} ${ago(closed.at)}`;
      case 'overtaken':
        return say`${who} did something else with ${targetWords(target)}, so ${run} was called off ${ago(closed.at)}`;
      case 'not done':
        return say`What it was to turn around was not done, so ${run} was called off ${ago(closed.at)}`;
      case 'paused for long':
        return say`The schedule for ${targetWords(target)} was removed ${ago(closed.at)}: nobody resumed it`;
    }
  }
  if (skipped?.at === at)
    return say`${person(skipped.by)} skipped ${run} that was due ${time(at)}${skipped.doneAt === undefined ? say`` : say` ${ago(skipped.doneAt)}`}`;
  if (open?.at === at) return say`${since} is under way`;
  if (last?.at === at) return say`${since} that was due ${time(at)} is over: ${RESULTS[last.result]}`;
  if (next?.laterBy !== undefined && isPutOffFrom(next, at))
    return say`${person(next.laterBy)} put ${run} off to ${time(next.at)}${next.laterAt === undefined ? say`` : say` ${ago(next.laterAt)}`}`;
  if (paused?.by !== undefined)
    return say`${person(paused.by)} paused the schedule for ${targetWords(target)} ${ago(paused.at)}`;
  return say`${since} that was due ${time(at)} is over`;
}

/** What the run due at `at`, Unix ms, does or did; undefined where that isn't known any more. */
function verbAt({ when, next, open, last }: Schedule, at: number): Power | undefined {
  const [only, ...others] = new Set((when.kind === 'once' ? [when] : when.rules).map(({ verb }) => verb));
  if (others.length === 0) return only;
  const known = [open, last, next].find((one) => one?.at === at);
  if (known) return known.verb;
  if (next && isPutOffFrom(next, at)) return next.verb;
  const [run] = nextRuns(when, at - 1, 1);
  return run?.at === at ? run.verb : undefined;
}

/** Whether the next run is the one that was due at `at`, Unix ms, before it was put off: none comes between. */
function isPutOffFrom({ at: to, ruleAt }: NonNullable<Schedule['next']>, at: number): boolean {
  return ruleAt <= at && at < to;
}
