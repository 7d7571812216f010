import type { DeliverDeps } from '../../../core/outbox/message-source.ts';
import type { Route } from '../../../core/intake/route.ts';
import { type SweptKind, sweptRecord } from '../../../core/sweep.ts';
import type { JobHandler } from '../../../platform/queue/run-job.ts';
import { type AlertsDeps, alertsRoute } from './alerts.ts';
import { answerRoutes } from './answer.ts';
import { alarmKey } from './alarm-store.ts';
import { CHECK_JOB, type CheckDeps, createCheck, sweptChecks } from './check.ts';
import { noticeMessage } from './messages.ts';
import { ALARM_ID, createTell, TELL_JOB } from './tell.ts';
import { tellings, type Words } from './telling.ts';
import type { ReadDailyCosts } from '../range/expected.ts';
import type { AboutService } from '../../../platform/hosting/service.ts';
import type { Button } from '../../../platform/slack/message.ts';
import { type AlertConfig, thresholdsOf } from './alert-settings.ts';
import { balanceCommand } from './balance-command.ts';
import { balanceFace } from './balance-face.ts';
import { balanceMeasure } from './balance-measure.ts';
import type { Settings } from './alarm.ts';
import type { Lines } from './level.ts';
import { look } from './look.ts';
import type { Watched } from './watched.ts';

/** What people set and answer of alerts. */
export function alertRoutes(deps: AlertsDeps): readonly Route[] {
  return [alertsRoute(deps), ...answerRoutes(deps)];
}

/** The look at the account, again and again, and the telling of what comes of it. */
export function alertJobs(deps: AlertsDeps & CheckDeps & DeliverDeps): Readonly<Record<string, JobHandler>> {
  return {
    [CHECK_JOB]: createCheck(deps),
    [TELL_JOB]: createTell({ ...deps, words: wordsOf(deps) }),
  };
}

/** Both jobs go on whatever the queue forgets. */
export function sweptAlerts(deps: AlertsDeps & CheckDeps): readonly SweptKind[] {
  const { store, timings } = deps;
  const words = wordsOf(deps);
  return [
    sweptChecks(store, timings),
    sweptRecord(store, {
      job: TELL_JOB,
      id: ALARM_ID,
      index: alarmKey,
      isSeldom: true,
      dueAt: (alarm) => tellings(alarm, words, timings)[0]?.dueAt ?? Number.POSITIVE_INFINITY,
    }),
  ];
}

function wordsOf({ watched: { face }, storyRoute }: AlertsDeps): Words {
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
