import { subject } from '../operations/messages.ts';
import type { OperationKind } from '../operations/kind.ts';
import type { Operation } from '../operations/operation.ts';
import type { Message } from '../../platform/slack/message.ts';
import { ago, code, person, say } from '../../platform/slack/phrase.ts';

/** For the admins, once: what is not followed any more because Redis lost it. `thawRoute`: ends what was frozen for it; undefined where nothing was. */
export function redisLost(
  loss: 'empty' | 'older',
  forgotten: readonly { operation: Operation; kind: OperationKind }[],
  thawRoute: string | undefined,
): Message {
  const first =
    loss === 'empty'
      ? say`Redis came back empty: what was asked and not done yet is forgotten, and every button of mine is void.`
      : say`Redis came back older than it was: what was asked or pressed just before that may be forgotten.`;
  if (thawRoute !== undefined)
    return {
      lines: [
        first,
        say`Who was given a role or lost one, and what was approved, may be as it was then. So I froze everything: nobody changes an instance until one of you has looked at that, with /lamplighter access, and ends the freeze.`,
      ],
      buttons: [{ label: 'End the freeze', routeId: thawRoute, value: 'now' }],
    };
  if (forgotten.length === 0) return { lines: [first, say`As far as I know, nothing was in progress.`] };
  return {
    lines: [
      first,
      say`This was in progress. I'll continue with what I still know about it, but please check it yourself:`,
    ],
    bullets: forgotten.map(
      ({ operation, kind }) =>
        say`${subject(operation)} is ${kind.doing}, asked by ${person(operation.actor.userId)} ${ago(operation.requestedAt)}`,
    ),
  };
}

/** How what changed in files of the configuration was taken, in words without any value. */
export interface SettingsState {
  /** Why the last change isn't used; empty where it is. */
  readonly faults: readonly string[];
  /** What of it counts only once the bot is started again. */
  readonly restart: readonly string[];
}

/** For the admins: what changed in files of the configuration. `wasFault`: they read before that it can't be used. Undefined for nothing. */
export function settingsMessage({ faults, restart }: SettingsState, wasFault: boolean): Message | undefined {
  if (faults.length > 0)
    return {
      lines: [say`⚙️ I can't use what changed in my settings, so what they were before still counts.`],
      bullets: faults.map((fault) => say`${fault}`),
      note: say`Once it is mended, I read it again by myself.`,
    };
  const mended = wasFault ? [say`⚙️ My settings can be used again, and count now.`] : [];
  if (restart.length === 0) return wasFault ? { lines: mended } : undefined;
  return {
    lines: [
      ...mended,
      say`${wasFault ? '' : say`⚙️ `}My settings have changed. This needs a restart before it counts:`,
    ],
    bullets: restart.map((what) => say`${what}`),
  };
}

const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const numbered = (number: number): string => number.toLocaleString('en');

/**
 * How the audit ended with a day, for who wants to know later whether it was rewritten. `days`: of which it tells (2026-11-26); `from`, `to`: the
 * numbers of its newest entry before and then; `line`: the same signed, where it has entries; `isBroken`: what was told before isn't there any more.
 */
export function auditHeadMessage({
  days,
  from,
  to,
  line,
  isBroken,
}: {
  readonly days: { readonly first: string; readonly last: string };
  readonly from: number;
  readonly to: number;
  readonly line: string | undefined;
  readonly isBroken: boolean;
}): Message {
  const [first = '', last = ''] = [days.first, days.last].map((day) => DAY.format(new Date(day)));
  const when = first === last ? last : `${first} to ${last}`;
  const warning = say`⚠️ The last audit entry I signed is gone or was changed. If nobody restored a backup of Redis, somebody rewrote what was before no. ${numbered(from + 1)}.`;
  return {
    lines: [
      ...(isBroken ? [warning] : []),
      say`📜 The audit of ${when} (UTC): ${entriesWords(to - from)}, up to no. ${numbered(to)}.`,
      ...(line === undefined ? [] : [[code(line)]]),
    ],
    ...(line === undefined
      ? {}
      : {
          note: say`With that line, "node dist/verify-audit.js" says later whether anything up to here was changed.`,
        }),
  };
}

function entriesWords(count: number): string {
  if (count <= 0) return 'nothing new';
  return count === 1 ? '1 entry' : `${numbered(count)} entries`;
}
