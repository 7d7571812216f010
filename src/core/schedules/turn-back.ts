import { isNotDone, type Operation } from '../operations/operation.ts';
import type { PastStore } from '../operations/past.ts';
import { unforced } from '../policy/permissions.ts';
import { say } from '../../platform/slack/phrase.ts';
import { saysWarningOver } from './messages.ts';
import { closed } from './schedule.ts';
import { type Schedule, shown, shownOf, wayBackOf } from './schedule-record.ts';
import type { ScheduleStore } from './schedule-store.ts';
import type { Operating, Operations } from '../operations/operations.ts';

type End = NonNullable<Schedule['closed']>;

/**
 * Ends a schedule that turns an operation around where there is nothing to turn any more: it did nothing, or somebody started or
 * stopped its instance since. It goes quietly, but for its warning: the card of the operation says so. Gives whether it ended it.
 */
export async function endIfVoid(
  {
    operations,
    past,
    scheduleStore,
    clock,
  }: Pick<Operating, 'clock' | 'operations'> & {
    readonly scheduleStore: ScheduleStore;
    readonly past: PastStore;
  },
  schedule: Schedule,
): Promise<boolean> {
  const { id, turns, closed: end, next } = schedule;
  if (!turns || end || !next) return false;
  const operation = await operations.find(turns.operationId);
  const at = clock.now();
  const why: End | undefined =
    operation && isNotDone(operation)
      ? { why: 'not done', at }
      : await overtakenBy(past, clock, schedule, operation);
  if (!why) return false;
  const after = await scheduleStore.change(
    id,
    (one) => (one.next?.at === next.at ? closed(one, why) : undefined),
    {
      says: (now, before) =>
        saysWarningOver(now, before.next, say`Somebody did something else with it since.`),
    },
  );
  return after !== undefined;
}

/** What somebody did with the instance since, where that is started or stopped by now as they want it. */
async function overtakenBy(
  past: PastStore,
  clock: Operating['clock'],
  { target, createdAt }: Schedule,
  operation: Operation | undefined,
): Promise<End | undefined> {
  const [instance, another] = 'instances' in target ? target.instances : [];
  if (!instance || another) return undefined;
  const done = (await past.since(instance.id, operation?.begunAt ?? createdAt)).flatMap((one) => {
    const verb = ['start' as const, 'stop' as const].find(
      (power) => power === unforced(one.kind.split('.')[1] ?? ''),
    );
    return verb && one.result !== 'unknown' ? [{ ...one, verb }] : [];
  });
  // The oldest is the operation itself, where it is not known any more.
  const others = operation ? done.filter(({ at }) => at !== operation.outcome?.at) : done.slice(0, -1);
  const [latest] = others;
  return latest && { why: 'overtaken', by: latest.userId, verb: latest.verb, at: clock.now() };
}

/** Whether what is to be turned around goes on still. */
export async function isUnderWay(operations: Operations, { turns }: Schedule): Promise<boolean> {
  const operation = turns && (await operations.find(turns.operationId));
  return operation !== undefined && operation.outcome === undefined;
}

/** Has the card of the operation show its way back as it is now. */
export async function showTurning(
  operations: Operations,
  scheduleStore: ScheduleStore,
  schedule: Schedule,
): Promise<void> {
  const { id, turns } = schedule;
  const wayBack = wayBackOf(schedule);
  if (!turns || !wayBack) return;
  await operations.showWayBack(turns.operationId, wayBack);
  const text = shownOf(schedule);
  await scheduleStore.change(id, (one) => shown(one, text));
}
