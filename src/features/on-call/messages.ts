import { ADMINS, type Step } from '../../core/on-call/escalation.ts';
import type { ChannelOnCall } from '../../core/on-call/on-call.ts';
import type { Quiet } from '../../core/on-call/quiet.ts';
import { clockWords } from '../../platform/time/clock-words.ts';
import { duration } from '../../core/operations/duration-words.ts';
import { isGroupId } from '../../platform/slack/ids.ts';
import type { Message } from '../../platform/slack/message.ts';
import { group, join, person, type Phrase, say } from '../../platform/slack/phrase.ts';

/** Who is on call in a channel, as it stands. `unheard`: the steps in which nobody may see instances there now. Pure. */
export function onCallMessage({ steps, quiet }: ChannelOnCall, unheard: ReadonlySet<number>): Message {
  const lines = quiet ? [quietLine(quiet)] : [];
  if (!steps)
    return {
      lines: [
        ...lines,
        say`If nobody picks up an incident here, I message no one directly. To name somebody, type /lamplighter oncall first @oncall, after 10 min @lead, after 30 min the admins`,
      ],
    };
  const warning = (at: number): Phrase =>
    unheard.has(at) ? say` ⚠️ Nobody there may see instances in this channel, so they hear nothing.` : say``;
  return {
    lines: [
      ...lines,
      say`When nobody is on an incident or a critical alert in this channel, I tell directly:`,
    ],
    bullets: steps.map((step, at) => say`${stepWords(step)}${warning(at)}`),
    note: say`Whoever has paused their notifications counts as away. If everybody told so far is away, the next step comes at once.`,
  };
}

/** "At once @oncall, after 10 min @lead". Pure. */
export function stepsWords(steps: readonly Step[]): Phrase {
  return join(steps.map(stepWords), ', ');
}

function stepWords({ afterMs, who }: Step): Phrase {
  const names = join(who.map(nameOf), ' and ');
  return afterMs === 0 ? say`at once ${names}` : say`after ${duration(afterMs)} ${names}`;
}

function nameOf(one: string): Phrase {
  if (one === ADMINS) return say`the admins`;
  return [isGroupId(one) ? group(one) : person(one)];
}

/** "Quiet from 22:00 to 07:00 (Europe/Berlin), except for critical alerts and prod-*." Pure. */
export function quietLine({ from, until, zone, breaks }: Quiet): Phrase {
  const words = breaks.map((one) => {
    if (one === 'critical') return say`critical alerts`;
    return one === 'errors' ? say`instances that are deleted, paused or in error` : say`${one}`;
  });
  const last = words.at(-1);
  const before = words.slice(0, -1);
  const all = before.length === 0 ? last : last && say`${join(before, ', ')} and ${last}`;
  const but = all ? say`, except for ${all}` : say``;
  return say`🌙 Quiet from ${clockWords(from)} to ${clockWords(until)} (${zone})${but}. What can wait is said afterwards, if it is still so.`;
}
