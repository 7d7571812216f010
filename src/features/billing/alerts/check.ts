import { isOutOfCalls } from '../../../platform/hosting/hosting-error.ts';
import { nextStepMs, type Step, stepsNow } from '../../../core/on-call/escalation.ts';
import { Refusal } from '../../../core/refusal.ts';
import { asError } from '../../../platform/log/log.ts';
import { forAlerts } from '../../../platform/hosting/in-background.ts';
import { newId } from '../../../platform/id.ts';
import type { JobHandler } from '../../../platform/queue/run-job.ts';
import type { Timings } from '../../../core/timings.ts';
import { reportsBetween } from '../outside/reports.ts';
import { type Alarm, type Notice, findOpen } from './alarm.ts';
import { ALARM } from './alarm-store.ts';
import { judge, judgeNoCall, type Look, type Rules } from './judge.ts';
import { NOT_OFFERED } from '../balance/reading.ts';
import { type AlertConfig, destinationOf } from './alert-settings.ts';
import { TELL_JOB } from './tell.ts';
import type { OnCall } from '../../../core/on-call/on-call.ts';
import type { Access } from '../../../core/policy/access.ts';
import type { Billing } from '../billing.ts';

export const CHECK_JOB = 'billing.check';

/** Two looks in a row didn't come: whoever was to make them is gone. */
const MISSED = 2;

/** When a look is overdue by so much that nobody makes it, Unix ms. */
export function missedAt({
  billingCheckEveryMs,
}: Pick<Timings, 'billingCheckEveryMs'>): (alarm: Alarm) => number {
  return ({ checkedAt }) => checkedAt + MISSED * billingCheckEveryMs;
}

/**
 * One look at the account: reads, judges, writes down, and has what is due sent. It comes again soon where what it read
 * contradicts what counts, and the job of the alarm always. It never throws, so that it comes again when it is due and not sooner.
 */
export function createCheck(deps: Billing): JobHandler {
  const { alarms, queue, config, admins, clock, watched, outbox, outside, noteLook, timings, log } = deps;
  const whoHears = createWhoHears(deps);

  const rulesOf = ({ settings }: Alarm, who: Pick<Rules, 'steps' | 'quiet'>, id: string): Rules => ({
    ...who,
    measure: watched.measureOf(settings),
    isOff: settings.isOff ?? false,
    to: destinationOf(settings, config, admins()),
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
  let stepInMs: number | undefined;
  let noted = Promise.resolve();
  const check = async (): Promise<number | undefined> => {
    // One that waits for its turn serves those who want a look meanwhile: it is judged by the settings of then.
    if (isLooking) return undefined;
    isLooking = true;
    stepInMs = undefined;
    try {
      // Nothing is asked of the service that nothing is judged by.
      const isWatched = watched.measureOf((await alarms.get()).settings) !== undefined;
      const seen = isWatched ? await lookOrNot(deps) : undefined;
      // Nobody waits for it.
      if (typeof seen === 'object') noted = noteLook(seen);
      const { named, ...who } = await whoHears(
        destinationOf((await alarms.get()).settings, config, admins()),
      );
      const id = newId();
      const after = await alarms.change(
        (alarm) => {
          const rules = rulesOf(alarm, who, id);
          return seen === 'no call'
            ? judgeNoCall(alarm, rules, clock.now())
            : judge(alarm, seen, rules, clock.now());
        },
        (next, before) => outbox.saying(reportsBetween(before, next, watched.face, outside), 'moved'),
      );
      if (after?.episodes.length) await queue.wake(TELL_JOB, ALARM.id);
      stepInMs = after && untilNextStep(after, named, clock.now());
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
    await noted;
    const { billingCheckEveryMs: everyMs } = timings;
    if (soonMs !== undefined || id !== ALARM.id || !Number.isFinite(everyMs)) return soonMs;
    return Math.min(everyMs, stepInMs ?? everyMs);
  };
}

/** Whatever keeps it from being read, it can't be seen, and that is reported when it lasts. */
async function lookOrNot({ hosting, watched, clock, log }: Billing): Promise<Look | 'no call'> {
  try {
    return await watched.look(forAlerts(hosting), clock.now);
  } catch (error) {
    if (isOutOfCalls(error)) return 'no call';
    if (error instanceof Refusal && error.code === NOT_OFFERED) return 'not offered';
    log.limited(`${watched.command.read} could not be read`, asError(error));
    return undefined;
  }
}

/** How long until the next step is due of an alert that nobody is on; undefined where none is. Pure. */
function untilNextStep(alarm: Alarm, steps: readonly Step[], now: number): number | undefined {
  const open = findOpen(alarm, 'low');
  if (!open || open.ack) return undefined;
  const sinceMs = now - open.unacknowledgedSince;
  const atMs = nextStepMs(steps, sinceMs);
  return atMs === undefined ? undefined : atMs - sinceMs;
}

interface WhoHearsDeps extends Pick<
  Billing,
  'timings' | 'log' | 'userGroups' | 'snoozes' | 'admins' | 'config'
> {
  readonly onCall: Pick<OnCall, 'of'>;
  readonly access: Pick<Access, 'check'>;
}

/** Who is told where nobody is on it, as they are named and as they are now, and when the channel is left in peace. */
interface WhoHears extends Pick<Rules, 'steps' | 'quiet'> {
  readonly named: readonly Step[];
}

/** Who hears of an alert that stands there: those on call in its channel; where nobody of them may see the figures, those whom the configuration names. Throws what Redis throws. */
export function createWhoHears(deps: WhoHearsDeps): (to: Notice['to'] | undefined) => Promise<WhoHears> {
  const { onCall, access, config, timings } = deps;
  const mayHear = async (userId: string): Promise<boolean | undefined> => {
    const decision = await access.check({ userId }, 'billing:read', 'all');
    return decision.allowed || decision.reason !== 'not checked' ? decision.allowed : undefined;
  };
  return async (to) => {
    const { steps: ofChannel, quiet } = to && 'channelId' in to ? await onCall.of(to.channelId) : {};
    const named = ofConfiguration(config, timings);
    if (ofChannel) {
      const steps = await stepsNow(deps, ofChannel, mayHear);
      const isAnybody = steps.some(({ people, isRead }) => people.length > 0 || !isRead);
      if (isAnybody || named.length === 0) return { named: ofChannel, steps, quiet };
    }
    return { named, steps: await stepsNow(deps, named, mayHear), quiet };
  };
}

/** Those whom the configuration names, at one time. */
function ofConfiguration(
  { escalateTo }: AlertConfig,
  { escalateAfterMs }: Pick<Timings, 'escalateAfterMs'>,
): readonly Step[] {
  return escalateTo.length > 0 ? [{ afterMs: escalateAfterMs, who: [...escalateTo] }] : [];
}
