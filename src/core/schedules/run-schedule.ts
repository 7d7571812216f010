import type { Entry } from '../audit/entry.ts';
import { AT_ONCE, MAX_ITEMS } from '../batches/batch.ts';
import type { Change } from '../changes/change.ts';
import { byReason, type Examined, isForbidden } from '../changes/examine.ts';
import { subjectOf } from '../operations/begin.ts';
import type { PastStore } from '../operations/past.ts';
import { adminsOf, ruleText } from '../policy/messages.ts';
import { Refusal } from '../refusal.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { Power } from '../../platform/hosting/service.ts';
import { idOf } from '../../platform/id.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import type { Message } from '../../platform/slack/message.ts';
import { type Phrase, say, time } from '../../platform/slack/phrase.ts';
import { findTargets, type Targets } from './find-targets.ts';
import {
  leftOutWords,
  noRightMessage,
  nothingMessage,
  notRunMessage,
  runRemark,
  saysWarningOver,
  SCHEDULE_ROUTES,
} from './messages.ts';
import { asItRuns } from './holidays.ts';
import { batchIdOf, finished, MISSED_AFTER_MS, onlyTarget, putOff } from './schedule.ts';
import type { OpenRun, Schedule } from './schedule-record.ts';
import { RunBegun, type ScheduleStore } from './schedule-store.ts';
import { isUnderWay } from './turn-back.ts';
import type { Changing } from '../changes/changing.ts';

/** What the jobs of schedules are built with. */
export interface RunDeps extends Changing {
  readonly scheduleStore: ScheduleStore;
  readonly past: PastStore;
  /** The verb's change; undefined where this version doesn't know it. */
  readonly changeOf: (verb: Power) => Change | undefined;
}

/** How long a run waits for a list of which a part didn't come; then it is of what came. */
const WAITS_FOR_ALL_MS = 600_000;

/** Why a run can't begin just now. It is tried again until it is too late for it. */
class NotNow extends Error {
  readonly words: Phrase;

  constructor(words: Phrase) {
    super('a run of a schedule can not begin just now');
    this.name = 'NotNow';
    this.words = words;
  }
}

/** Begins the batch of an open run, or finds that there is nothing to begin, and writes down how it went. */
export async function runOpen(deps: RunDeps, schedule: Schedule, run: OpenRun): Promise<void> {
  const { batches } = deps;
  // A process that is gone may have begun it; then the fleet is no longer what it was.
  if (await batches.find(batchIdOf(schedule, run))) return begun(deps, schedule, run);
  try {
    if (isLate(deps, run))
      return await endNotRun(deps, schedule, run, run.why ?? say`the bot was not running then`);
    await begin(deps, schedule, run);
  } catch (error) {
    // Another process has begun it meanwhile, and the next look finds its batch.
    if (!(error instanceof RunBegun)) await notBegun(deps, schedule, run, error);
  }
}

function isLate({ clock }: RunDeps, { at }: OpenRun): boolean {
  return clock.now() - at > MISSED_AFTER_MS;
}

/** Has it tried again, until it is late, or ended where no try can help. Throws what is a bug. */
async function notBegun(deps: RunDeps, schedule: Schedule, run: OpenRun, error: unknown): Promise<void> {
  const why = whyNot(error, run.tries + 1);
  if (!why) throw error;
  const { scheduleStore, clock, log } = deps;
  const { id } = schedule;
  log.warn({ schedule: id, tries: run.tries, error }, 'beginning a run of a schedule');
  if (error instanceof Refusal) return endNotRun(deps, schedule, run, why);
  await scheduleStore.change(id, (one) => putOff(one, run, why, clock.now()));
}

function endNotRun(deps: RunDeps, schedule: Schedule, run: OpenRun, why: Phrase): Promise<void> {
  return ended(deps, schedule, run, 'not run', (after) =>
    notRunMessage(asItRuns(after, deps.holidays()), run, why),
  );
}

async function begin(deps: RunDeps, schedule: Schedule, run: OpenRun): Promise<void> {
  const { clock } = deps;
  const change = deps.changeOf(run.verb);
  if (!change?.several) throw new NotNow(say`this version of the bot doesn't know that verb`);
  if (await isUnderWay(deps.operations, schedule)) throw new NotNow(say`what it turns around hadn't ended`);
  if (!(await mayOwner(deps, schedule, change))) return pauseWithoutRight(deps, schedule, run);
  const { owner: actor, channelId } = schedule;
  const targets = await findTargets(deps, schedule, clock.now());
  if (targets.incomplete?.failed && clock.now() - run.at < WAITS_FOR_ALL_MS)
    throw new NotNow(say`the hosting service gave me only a part of its list`);
  const examined = await change.examine(deps, { actor, place: { channelId } }, targets.instances);
  const { chosen, skipped } = examined;
  if (chosen.length === 0) {
    if (skipped.length > 0 && skipped.every((one) => one.isForbidden))
      return pauseWithoutRight(deps, schedule, run);
    const all = targets.instances.length + targets.gone.length;
    const said = [...leftOut(targets, examined), ...targets.remarks];
    await ended(deps, schedule, run, 'nothing', () => nothingMessage(schedule, run, all, said));
    return;
  }
  if (chosen.length > MAX_ITEMS) {
    throw new Refusal(
      'too-many-instances',
      say`it matches ${chosen.length} instances, and I take at most ${MAX_ITEMS} at once`,
    );
  }
  await beginBatch(deps, schedule, run, change, targets, examined);
  await begun(deps, schedule, run);
}

async function beginBatch(
  { batches, clock }: RunDeps,
  schedule: Schedule,
  run: OpenRun,
  change: Change,
  targets: Targets,
  examined: Examined,
): Promise<void> {
  const { id: scheduleId, owner: actor, channelId } = schedule;
  const id = batchIdOf(schedule, run);
  const items = examined.chosen.map(({ instance, rule }) => ({
    // The same for every process that begins this run.
    operationId: idOf(`${id} ${instance.id}`),
    subject: subjectOf(instance),
    rule: ruleText(rule),
  }));
  const remarks = [runRemark(schedule), ...leftOut(targets, examined), ...targets.remarks];
  const { result } = await batches.begin(
    {
      id,
      kind: change.id,
      actor,
      place: { channelId },
      isUnattended: true,
      atOnce: AT_ONCE,
      items,
      remarks: remarks.map((phrase) => [...phrase]),
    },
    {},
    entryOf(schedule, run, clock.now(), {
      what: 'set',
      route: change.id,
      args: { schedule: scheduleId, several: items.map(({ subject }) => subject.id) },
    }),
  );
  if (result !== 'begun') throw new NotNow(say`it could not be written down`);
}

/** The batch is there and goes on by itself. */
async function begun({ scheduleStore, clock }: RunDeps, { id }: Schedule, run: OpenRun): Promise<void> {
  const now = clock.now();
  const became = say`The stop began ${time(now)}. Its own message here says how it ends.`;
  await scheduleStore.change(id, (one) => finished(one, run, 'begun', now), {
    says: (after) => saysWarningOver(after, run, became),
  });
}

/** The run ends without a batch, and its channel hears of it. */
async function ended(
  { scheduleStore, clock }: RunDeps,
  schedule: Schedule,
  run: OpenRun,
  result: 'nothing' | 'not run',
  messageOf: (after: Schedule) => Message,
): Promise<void> {
  const { id } = schedule;
  const now = clock.now();
  const how =
    result === 'nothing' ? { what: 'set' as const, result } : { what: 'expired' as const, result: 'not-run' };
  await scheduleStore.change(id, (one) => finished(one, run, result, now), {
    run: { how: 'end', run },
    entry: entryOf(schedule, run, now, how),
    says: (after) => [
      ...saysWarningOver(after, run, say`Nothing was stopped.`),
      { id: endIdOf(after, run), to: { channelId: after.channelId }, content: messageOf(after) },
    ],
  });
}

/** Nothing is done, and its owner and an admin hear that it is paused. */
async function pauseWithoutRight(
  { scheduleStore, access, clock }: RunDeps,
  schedule: Schedule,
  run: OpenRun,
): Promise<void> {
  const { id, owner } = schedule;
  const admin = adminsOf(await access.policy()).find((userId) => userId !== owner.userId);
  const now = clock.now();
  const people = [owner.userId, ...(admin === undefined ? [] : [admin])];
  await scheduleStore.change(id, (one) => finished(one, run, 'no right', now), {
    run: { how: 'end', run },
    entry: entryOf(schedule, run, now, { what: 'refused', result: 'no-right' }),
    says: (after, before) => [
      ...saysWarningOver(after, run, say`Nothing was stopped.`),
      ...people.map((userId) => ({
        id: `${endIdOf(before, run)}-${userId}`,
        to: { userId },
        content: noRightMessage(before, run),
      })),
    ],
  });
}

/** Whether the owner may do it at all, by what Slack says now. Throws NotNow where nobody can tell. */
async function mayOwner(
  { people, access }: RunDeps,
  { owner, channelId }: Schedule,
  { permission, id: route }: Change,
): Promise<boolean> {
  const cantTell = new NotNow(say`Slack could not say whether its owner may do it`);
  const standing = await people.standing(owner.userId, owner.teamId, true).catch((error: unknown) => {
    // Slack knows nobody of that id any more.
    if (slackErrorOf(error).code === 'user_not_found') return 'deactivated' as const;
    throw cantTell;
  });
  if (standing === 'deactivated') return false;
  const decision = await access.check(owner, permission, 'any', { channelId, route, isFresh: true });
  if (!decision.allowed && decision.reason === 'not checked') throw cantTell;
  // What is frozen is left out of the run, each by its name.
  return !isForbidden(decision);
}

function leftOut(targets: Targets, { skipped }: Examined): readonly Phrase[] {
  const all = [...targets.gone, ...skipped].map(({ id, name, why }) => ({ id, name, why: [...why] }));
  return leftOutWords(byReason(all));
}

/** What a run that could not begin says of it, after so many tries; undefined for a bug. */
function whyNot(error: unknown, tries: number): Phrase | undefined {
  if (error instanceof NotNow) return error.words;
  if (error instanceof HostingError) {
    const often = tries === 1 ? 'the one time' : tries === 2 ? 'both times' : `each of the ${tries} times`;
    return error.answered
      ? say`the hosting service answered with an error ${often} I tried`
      : say`the hosting service didn't answer ${often} I tried`;
  }
  if (error instanceof Refusal) {
    return error.code === 'too-many-instances' ? firstLine(error) : say`its filters can't be read any more`;
  }
  return undefined;
}

function firstLine({ answer }: Refusal): Phrase {
  return answer.lines[0] ?? say`it matches too many instances`;
}

/** The id of the message that says how a run ended. */
function endIdOf({ id }: Schedule, { ruleAt }: OpenRun): string {
  return `schedule-${id}-${ruleAt}-end`;
}

/** What the audit keeps of a run. */
export function entryOf(
  schedule: Schedule,
  run: Pick<OpenRun, 'ruleAt'>,
  at: number,
  more: Partial<Entry> & Pick<Entry, 'what'>,
): Entry {
  const { id, owner, channelId } = schedule;
  return {
    at,
    requestId: batchIdOf(schedule, run),
    by: owner.userId,
    channelId,
    route: SCHEDULE_ROUTES.set,
    args: { schedule: id },
    ...onlyTarget(schedule),
    ...more,
  };
}
