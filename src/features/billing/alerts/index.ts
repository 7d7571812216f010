import type { DeliverDeps } from '../../../core/outbox/message-source.ts';
import type { Route } from '../../../core/intake/route.ts';
import type { Sweep } from '../../../core/sweep.ts';
import type { JobHandler } from '../../../platform/queue/run-job.ts';
import { type AlertsDeps, alertsRoute } from './alerts.ts';
import { answerRoutes } from './answer.ts';
import { CHECK_JOB, type CheckDeps, createCheck } from './check.ts';
import { noticeMessage } from './messages.ts';
import { createAlarmSweep } from './sweep.ts';
import { createTell, TELL_JOB } from './tell.ts';
import type { Words } from './telling.ts';
import type { Watched } from './watched.ts';

/** What people set and answer of alerts. */
export function alertRoutes(deps: AlertsDeps): readonly Route[] {
  return [alertsRoute(deps), ...answerRoutes(deps)];
}

/** The look at the account, again and again, and the telling of what comes of it. */
export function alertJobs(deps: AlertsDeps & CheckDeps & DeliverDeps): Readonly<Record<string, JobHandler>> {
  return {
    [CHECK_JOB]: createCheck(deps),
    [TELL_JOB]: createTell({ ...deps, words: wordsOf(deps.watched) }),
  };
}

/** Keeps both going whatever the queue forgets. */
export function alertSweep(deps: AlertsDeps): Sweep {
  return createAlarmSweep({ ...deps, words: wordsOf(deps.watched) });
}

function wordsOf({ face }: Watched): Words {
  return (episode, notice) => noticeMessage(episode, notice, face);
}
