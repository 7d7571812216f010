import { setTimeout as wait } from 'node:timers/promises';
import type { Job } from '../../core/records/job.ts';
import { findTargets } from '../../core/schedules/find-targets.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import { say, ago, time } from '../../platform/slack/phrase.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { type Check, type Finding, fault, note, ok, warn } from './finding.ts';
import { unlessAway } from '../../core/refusal.ts';
import type { Bot } from '../../core/bot/bot.ts';
import type { Entry } from '../../core/audit/entry.ts';
import { FAULT_WORDS } from '../../core/outcome-words.ts';
import type { HostingFault } from '../../platform/hosting/hosting-error.ts';

/** How long a job waited until it was taken, and Slack until it answered, in ms; undefined where it didn't happen. Pure. */
function judgeSpeed(takenMs: number | undefined, slackMs: number | undefined): readonly Finding[] {
  if (takenMs === undefined)
    return [
      fault(
        say`A job that does nothing was taken by nobody.`,
        say`See that a process with LAMPLIGHTER_ROLE=all or worker runs, and what its log says.`,
      ),
    ];
  if (slackMs === undefined) return [ok(say`A job is taken within ${seconds(takenMs)}.`)];
  return [ok(say`A card stands within ${seconds(takenMs + slackMs)} of the request.`)];
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / 1_000)} s`;
}

/** With these the service said no to the key, whatever it was asked for. */
const OF_KEY: readonly string[] = ['unauthorized', 'forbidden', 'no-credit'] satisfies HostingFault[];
/** With these it may have said no to everything that would change something. */
const OF_ALL: readonly string[] = ['refused', 'unclear', 'unavailable'] satisfies HostingFault[];

/**
 * What the service said to the last change that was sent: no read tells whether the key may change anything, nor whether the service
 * only lets itself be read. Which instance it was is not for everybody. Pure.
 */
function judgeLastSent(last: Pick<Entry, 'at' | 'result' | 'answer'> | undefined): readonly Finding[] {
  if (!last)
    return [
      note(say`Whether the key may change anything shows only a change, and none was sent within a week.`),
    ];
  const { at, result, answer } = last;
  if (result === 'done' || result === 'asked')
    return [ok(say`The service took the last change, ${ago(at)}.`)];
  const [code = ''] = answer?.split(':') ?? [];
  if (isOneOf(OF_KEY, code))
    return [
      fault(
        say`The last change, ${ago(at)}, came to nothing: ${FAULT_WORDS[code]}.`,
        say`Mend that at the service, then change something small: only that shows that it works again.`,
      ),
    ];
  if (isOneOf(OF_ALL, code))
    return [
      warn(
        say`The last change, ${ago(at)}, was not taken: ${FAULT_WORDS[code]}.`,
        say`Check at the service whether it takes changes now, or only lets itself be read.`,
      ),
    ];
  return [note(say`The last change, ${ago(at)}, doesn't show whether the key may change anything.`)];
}

function isOneOf(codes: readonly string[], code: string): code is HostingFault {
  return codes.includes(code);
}

/** What schedules do with the instance within a day. `at`: Unix ms. Pure. */
function judgeSchedules(runs: readonly { readonly verb: string; readonly at: number }[]): readonly Finding[] {
  if (runs.length === 0) return [ok(say`No schedule touches it within a day.`)];
  return runs.map(({ verb, at }) =>
    warn(
      say`A schedule will ${verb} it ${time(at)}.`,
      say`If that is in the way, /instances schedules shows it, with a button to pause it.`,
    ),
  );
}

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
