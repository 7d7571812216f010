import type { Entry } from '../../core/audit/entry.ts';
import { FAULT_WORDS } from '../../core/outcome-words.ts';
import type { HostingFault } from '../../platform/hosting/hosting-error.ts';
import { ago, say, time } from '../../platform/slack/phrase.ts';
import { type Finding, fault, note, ok, warn } from './finding.ts';

/** How long a job waited until it was taken, and Slack until it answered, in ms; undefined where it didn't happen. Pure. */
export function judgeSpeed(takenMs: number | undefined, slackMs: number | undefined): readonly Finding[] {
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
export function judgeLastSent(last: Pick<Entry, 'at' | 'result' | 'answer'> | undefined): readonly Finding[] {
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
export function judgeSchedules(
  runs: readonly { readonly verb: string; readonly at: number }[],
): readonly Finding[] {
  if (runs.length === 0) return [ok(say`No schedule touches it within a day.`)];
  return runs.map(({ verb, at }) =>
    warn(
      say`A schedule will ${verb} it ${time(at)}.`,
      say`If that is in the way, /instances schedules shows it, with a button to pause it.`,
    ),
  );
}
