import { setTimeout as wait } from 'node:timers/promises';
import type { Job } from '../../core/records/job.ts';
import { findTargets } from '../../core/schedules/find-targets.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import { say } from '../../platform/slack/phrase.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { judgeLastSent, judgeSchedules, judgeSpeed } from './judge-way.ts';
import type { Check } from './run-checks.ts';
import { unlessAway } from '../../core/refusal.ts';
import type { Bot } from '../../core/bot/bot.ts';

const PROBE_ID = 'probe';
/** One that nobody takes within so long is stuck. */
const TAKEN_WITHIN_MS = 4_000;
const LOOK_EVERY_MS = 25;
/** What a service said longer ago says nothing of the key that counts now. */
const SENT_WITHIN_MS = 7 * DAY_MS;

/** A job that does nothing: it shows that jobs are taken, and how soon. Nobody misses one that was lost. */
export const PROBE: Job = { job: 'rehearsal', run: async () => undefined, listDue: async () => [] };

/** What of the way no other check sees: how soon a card stands, and what the service said to the last change. */
export function wayChecks({ queue, examiner, auditReader, clock }: Bot): readonly Check[] {
  return [
    {
      about: say`How soon a card stands`,
      unread: 'warn',
      look: async () => {
        const [takenMs, slackMs] = await Promise.all([
          probe(queue),
          // What is wrong with Slack is said of the token.
          timed(() => examiner.token()).catch(() => undefined),
        ]);
        return judgeSpeed(takenMs, slackMs);
      },
    },
    {
      about: say`What the last change came to`,
      unread: 'warn',
      look: async () => {
        const [last] = await auditReader.read(
          ({ what, result }) => what === 'ended' && result !== undefined && result !== 'canceled',
          { limit: 1, since: clock.now() - SENT_WITHIN_MS },
        );
        return judgeLastSent(last?.entry);
      },
    },
  ];
}

/** What schedules are about to do with an instance. */
export function scheduleCheck(deps: Bot, instance: Instance): Check {
  const { schedules, clock } = deps;
  return {
    about: say`What schedules do with it`,
    unread: 'warn',
    look: async () => {
      const now = clock.now();
      const soon = (await schedules.list()).filter(
        ({ next, paused, closed }) => next && !paused && !closed && next.at < now + DAY_MS,
      );
      const each = await Promise.all(
        soon.map(async (schedule) => {
          // Why there is no list is said of the key.
          const found = await unlessAway(findTargets(deps, schedule, now), undefined);
          const isOfIt = found?.instances.some(({ id }) => id === instance.id) ?? false;
          return isOfIt && schedule.next ? [schedule.next] : [];
        }),
      );
      return judgeSchedules(each.flat());
    },
  };
}

/** How long (ms) a job waited until it was taken and through; undefined where nobody took it. */
async function probe(queue: WorkQueue): Promise<number | undefined> {
  const begunAt = performance.now();
  await queue.wake(PROBE.job, PROBE_ID);
  while (performance.now() - begunAt < TAKEN_WITHIN_MS) {
    if (!(await queue.isThere(PROBE.job, PROBE_ID))) return performance.now() - begunAt;
    await wait(LOOK_EVERY_MS);
  }
  return undefined;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now();
  await work();
  return performance.now() - begunAt;
}
