import type { CarryDeps } from '../../deliveries/carry.ts';
import type { Route } from '../../feature.ts';
import type { Background } from '../../jobs.ts';
import { type AlertsDeps, alertsRoute } from './alerts.ts';
import { answerRoutes } from './answer.ts';
import { CHECK_JOB, type CheckDeps, createCheck } from './check.ts';
import { noticeMessage } from './messages.ts';
import { createAlarmSweep } from './sweep.ts';
import { createTell, TELL_JOB } from './tell.ts';
import type { Words } from './telling.ts';

/** What people set and answer of balance alerts. */
export function alertRoutes(deps: AlertsDeps): readonly Route[] {
  return [alertsRoute(deps), ...answerRoutes(deps)];
}

/** The look at the balance, again and again, and the telling of what comes of it. */
export function alertBackground(deps: AlertsDeps & CheckDeps & CarryDeps): Background {
  const words: Words = (episode, notice) => noticeMessage(episode, notice, deps.unit);
  return {
    queue: 'billing',
    handlers: { [CHECK_JOB]: createCheck(deps), [TELL_JOB]: createTell({ ...deps, words }) },
    sweep: createAlarmSweep({ ...deps, words }),
  };
}
