import { isOutOfCalls } from '../../../platform/hosting/hosting-error.ts';
import type { Access } from '../../../core/policy/access.ts';
import { Refusal } from '../../../core/refusal.ts';
import { type SweptKind, sweptRecord } from '../../../core/sweep.ts';
import { asError } from '../../../platform/log/as-error.ts';
import { forAlerts } from '../../../platform/hosting/in-background.ts';
import type { HostingService } from '../../../platform/hosting/service.ts';
import { newId } from '../../../platform/id.ts';
import { slackErrorOf } from '../../../platform/slack/errors.ts';
import { isGroupId } from '../../../platform/slack/ids.ts';
import type { UserGroups } from '../../../platform/slack/user-groups.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { WorkQueue } from '../../../platform/queue/queue.ts';
import type { JobHandler } from '../../../platform/queue/run-job.ts';
import type { RedisClock } from '../../../platform/redis/clock.ts';
import type { Timings } from '../../../core/timings.ts';
import type { Alarm } from './alarm.ts';
import type { AlarmStore } from './alarm-store.ts';
import { judge, judgeNoCall, type Look, type Rules } from './judge.ts';
import { NOT_OFFERED } from '../balance/reading.ts';
import { type AlertConfig, destinationOf } from './alert-settings.ts';
import { ALARM_ID, TELL_JOB } from './tell.ts';
import type { Watched } from './watched.ts';

export interface CheckDeps {
  readonly hosting: HostingService;
  readonly store: AlarmStore;
  readonly access: Access;
  readonly userGroups: Pick<UserGroups, 'members'>;
  readonly queue: WorkQueue;
  readonly config: AlertConfig;
  readonly admins: () => readonly string[];
  readonly clock: RedisClock;
  readonly watched: Watched;
  readonly timings: Timings;
  readonly log: Log;
}

export const CHECK_JOB = 'billing.check';

/** So many people are notified at most, whoever is in a group. */
const MAX_ESCALATED_TO = 50;

/** Two looks in a row didn't come: whoever was to make them is gone. */
const MISSED = 2;

/** The job of the looks that follow each other is put back where they stay away. */
export function sweptChecks(
  store: AlarmStore,
  { billingCheckEveryMs }: Pick<Timings, 'billingCheckEveryMs'>,
): SweptKind {
  const dueAt = ({ checkedAt }: Alarm): number => checkedAt + MISSED * billingCheckEveryMs;
  return sweptRecord(store, { job: CHECK_JOB, id: ALARM_ID, isSeldom: true, dueAt });
}

/**
 * One look at the account: reads, judges, writes down, and has what is due sent. It comes again soon where what it read
 * contradicts what counts, and the job of the alarm always. It never throws, so that it comes again when it is due and not sooner.
 */
export function createCheck(deps: CheckDeps): JobHandler {
  const { hosting, store, queue, config, admins, clock, watched, timings, log } = deps;

  /** Whatever keeps it from being read, it can't be seen, and that is reported when it lasts. */
  const lookOrNot = async (): Promise<Look | 'no call'> => {
    try {
      return await watched.look(forAlerts(hosting), clock.now);
    } catch (error) {
      if (isOutOfCalls(error)) return 'no call';
      if (error instanceof Refusal && error.code === NOT_OFFERED) return 'not offered';
      log.limited(`${watched.command.read} could not be read`, asError(error));
      return undefined;
    }
  };

  const rulesOf = ({ settings }: Alarm, escalateTo: readonly string[], id: string): Rules => ({
    measure: watched.measureOf(settings),
    isOff: settings.isOff ?? false,
    to: destinationOf(settings, config, admins()),
    escalateTo,
    newId: id,
    timings,
  });

  /** When to look again soon; undefined where another look does already, so that they don't pile up. */
  const againSoon = (): number | undefined => {
    const { readAgainAfterMs } = timings;
    const now = performance.now();
    if (now < nextAt) return undefined;
    // A timer may come a little early.
    nextAt = now + readAgainAfterMs * 0.9;
    return readAgainAfterMs;
  };

  let nextAt = Number.NEGATIVE_INFINITY;
  let isLooking = false;
  const check = async (): Promise<number | undefined> => {
    // One that waits for its turn serves those who want a look meanwhile: it is judged by the settings of then.
    if (isLooking) return undefined;
    isLooking = true;
    try {
      // Nothing is asked of the service that nothing is judged by.
      const isWatched = watched.measureOf((await store.get()).settings) !== undefined;
      const seen = isWatched ? await lookOrNot() : undefined;
      const [escalateTo, id] = [await mayBeTold(deps), newId()];
      const after = await store.change((alarm) => {
        const rules = rulesOf(alarm, escalateTo, id);
        return seen === 'no call'
          ? judgeNoCall(alarm, rules, clock.now())
          : judge(alarm, seen, rules, clock.now());
      });
      if (after?.episodes.length) await queue.wake(TELL_JOB, ALARM_ID);
      if (seen === 'no call' || (typeof seen === 'object' && after?.doubt)) return againSoon();
    } catch (error) {
      log.limited('looking at the account', asError(error));
    } finally {
      isLooking = false;
    }
    return undefined;
  };
  return async (id) => {
    const soonMs = await check();
    const { billingCheckEveryMs: everyMs } = timings;
    return soonMs ?? (id === ALARM_ID && Number.isFinite(everyMs) ? everyMs : undefined);
  };
}

/** Who is named, or in a named group now. Asked at the moment itself: who lost the right to see figures is not sent any. */
async function mayBeTold(deps: CheckDeps): Promise<readonly string[]> {
  const named = await Promise.all(
    deps.config.escalateTo.map((id) => (isGroupId(id) ? membersOf(deps, id) : Promise.resolve([id]))),
  );
  const people = [...new Set(named.flat())].slice(0, MAX_ESCALATED_TO);
  const decisions = await Promise.all(
    people.map((userId) => deps.access.check({ userId }, 'billing:read', 'all')),
  );
  return people.filter((_, index) => decisions[index]?.allowed);
}

/** Who is in a group now; nobody where Slack can't say, until the next look. */
async function membersOf({ userGroups, log }: CheckDeps, groupId: string): Promise<readonly string[]> {
  try {
    return [...(await userGroups.members(groupId))];
  } catch (error) {
    log.limited(`reading a user group: ${slackErrorOf(error).code}`, asError(error));
    return [];
  }
}
