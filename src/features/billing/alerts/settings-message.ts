import type { Message } from '../../../platform/slack/message.ts';
import { channel, person, type Phrase, say, time } from '../../../platform/slack/phrase.ts';
import { countDuration } from '../../../platform/time/duration.ts';
import { type Alarm, type Episode, findOpen } from './alarm.ts';
import type { AlertCommand } from './watched.ts';

/** How alerts are set and how things stand, for one person alone. `said`: what was just done. */
export function alertsMessage(
  alarm: Alarm,
  command: AlertCommand,
  {
    to,
    isGiven,
    everyMs,
    said,
  }: {
    to: { channelId: string } | { userId: string } | undefined;
    /** Whether the configuration says where they go, and nobody can choose. */
    isGiven: boolean;
    everyMs: number;
    said?: string;
  },
): Message {
  const { isOff = false } = alarm.settings;
  const first: Phrase[] = said === undefined ? [] : [[{ type: 'text', text: said }]];
  // Thresholds of what isn't there would promise a warning.
  const notOffered = alarm.isNotOffered ? command.stateWords(alarm) : undefined;
  if (notOffered) return { lines: [...first, notOffered] };
  return {
    lines: [
      ...first,
      ...(isOff ? offWords(said) : [command.setWords(alarm.settings)]),
      placeWords(to, isGiven),
      ...(isOff || !to
        ? [say`While ${isOff ? 'alerts are off' : 'they go nowhere'}, I don't check ${command.unchecked}.`]
        : watchWords(alarm, command, everyMs)),
    ],
  };
}

/** Who has just turned them off has read so. */
function offWords(said: string | undefined): Phrase[] {
  return said === undefined ? [say`🔕 Alerts are off.`] : [];
}

function watchWords(alarm: Alarm, { stateWords, read }: AlertCommand, everyMs: number): Phrase[] {
  const state = stateWords(alarm);
  if (!state) return [];
  // Before there is anything to show for it, a look would contradict what is said of how things stand.
  const isKnown = alarm.seen !== undefined || alarm.failingSince !== undefined;
  const last = isKnown && alarm.checkedAt > 0 ? say`, last ${time(alarm.checkedAt)}` : '';
  return [state, ...snoozeWords(alarm), say`I check ${read} ${everyWords(everyMs)}${last}.`];
}

/** Until when nothing is said of an alert unless it gets worse, and who wants that. */
function snoozeWords(alarm: Alarm): Phrase[] {
  const snooze = findOpen(alarm, 'low')?.snooze;
  return snooze ? [say`Snoozed until ${time(snooze.until)} by ${person(snooze.by)}.`] : [];
}

function placeWords(to: { channelId: string } | { userId: string } | undefined, isGiven: boolean): Phrase {
  if (!to) return say`Alerts don't go anywhere yet. To choose a channel, type "/billing alerts here" in it.`;
  if (isGiven && 'channelId' in to) return say`Alerts go to ${channel(to.channelId)}.`;
  return 'channelId' in to
    ? say`Alerts go to ${channel(to.channelId)}. To choose another channel, type "/billing alerts here" in it.`
    : say`Alerts go to ${person(to.userId)} alone. To choose a channel, type "/billing alerts here" in it.`;
}

/** Who is on an open alert, in half a sentence. */
export function onItWords({ ack }: Episode): Phrase {
  return ack ? say`${person(ack.by)} is on it` : say`nobody is on it`;
}

const UNIT_WORDS = { h: 'hour', m: 'minute', s: 'second' } as const;

function everyWords(everyMs: number): string {
  if (!Number.isFinite(everyMs)) return 'when someone asks';
  const seconds = Math.round(everyMs / 1000);
  if (seconds < 1) return 'all the time';
  const { count, unit } = countDuration(seconds * 1000, ['h', 'm']);
  return count === 1 ? `every ${UNIT_WORDS[unit]}` : `every ${count} ${UNIT_WORDS[unit]}s`;
}
