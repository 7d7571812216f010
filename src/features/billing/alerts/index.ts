import type { Route } from '../../../core/intake/route.ts';
import { type Job, jobOfOne } from '../../../core/records/job.ts';
import { alertsRoute } from './alerts.ts';
import { answerRoutes } from './answer.ts';
import { ALARM } from './alarm-store.ts';
import { CHECK_JOB, createCheck, missedAt } from './check.ts';
import { noticeMessage } from './messages.ts';
import { createTell, TELL_JOB, tellings, type Words } from './tell.ts';
import type { ReadDailyCosts } from '../range/expected.ts';
import type { AboutService } from '../../../platform/hosting/service.ts';
import type { Button } from '../../../platform/slack/message.ts';
import { type AlertConfig, thresholdsOf } from './alert-settings.ts';
import { balanceCommand } from './balance-command.ts';
import { balanceFace } from './balance-face.ts';
import { balanceMeasure } from './balance-measure.ts';
import type { Alarm, Settings } from './alarm.ts';
import type { Lines } from './level.ts';
import { look } from './balance-read.ts';
import type { Watched } from './watched.ts';
import type { Billing } from '../billing.ts';

/** What people set and answer of alerts. */
export function alertRoutes(deps: Billing): readonly Route[] {
  return [alertsRoute(deps), ...answerRoutes(deps)];
}

/** The look at the account, again and again, and the telling of what comes of it. Both go on whatever the queue forgets. */
export function alertJobs(deps: Billing): readonly Job[] {
  const { alarms, timings } = deps;
  const words = wordsOf(deps);
  const kind = { ...ALARM, isSeldom: true };
  const dueAt = (alarm: Alarm): number =>
    tellings(alarm, words, timings)[0]?.dueAt ?? Number.POSITIVE_INFINITY;
  return [
    jobOfOne({ ...kind, job: CHECK_JOB, dueAt: missedAt(timings) }, alarms, createCheck(deps)),
    jobOfOne({ ...kind, job: TELL_JOB, dueAt }, alarms, createTell(deps, words)),
  ];
}

function wordsOf({ watched: { face }, storyRoute }: Billing): Words {
  return (episode, notice) => noticeMessage(episode, notice, face, storyRoute);
}

/**
 * A balance that is paid before: how long it lasts. `unit`: how credits are called; `about`: what the host does when they run out,
 * and before; `topUp`: opens the page where more are bought; `dailyCosts`: what the days before have cost.
 */
export function watchedBalance(
  config: AlertConfig,
  unit: string,
  about: Pick<AboutService, 'atZero' | 'isToppedUp'>,
  { topUp, dailyCosts }: { readonly topUp: readonly Button[]; readonly dailyCosts: ReadDailyCosts },
): Watched {
  const linesOf = (settings: Settings): Lines => ({
    ...thresholdsOf(settings, config),
    isToppedUp: about.isToppedUp,
  });
  return {
    look: (hosting, now) => look(hosting, now, dailyCosts),
    measureOf: (settings) => balanceMeasure(linesOf(settings)),
    face: balanceFace(unit, about, topUp),
    command: balanceCommand(config, unit, linesOf),
  };
}
