import type { Message } from '../../slack/message.ts';
import { channel, person, type Phrase, say, time } from '../../slack/phrase.ts';
import { type Alarm, findOpen } from './alarm.ts';
import { type Thresholds, thresholdWords } from './level.ts';

/** How alerts are set and how things stand, for one person alone. `said`: what was just done. */
export function alertsMessage(
  alarm: Alarm,
  {
    thresholds: { warn, critical },
    to,
    unit,
    everyMs,
    said,
  }: {
    thresholds: Thresholds;
    to: { channelId: string } | { userId: string } | undefined;
    unit: string;
    everyMs: number;
    said?: string;
  },
): Message {
  return {
    lines: [
      ...(said === undefined ? [] : [[{ type: 'text', text: said } as const]]),
      alarm.settings.isOff
        ? say`🔕 Alerts are off; turn them on with billing alerts on.`
        : say`🔔 I warn below ${thresholdWords(warn, unit)} and call it critical below ${thresholdWords(critical, unit)}.`,
      placeWords(to),
      stateWords(alarm),
      say`I look every ${everyWords(everyMs)}${alarm.checkedAt > 0 ? say`, last ${time(alarm.checkedAt)}` : ''}.`,
    ],
  };
}

function placeWords(to: { channelId: string } | { userId: string } | undefined): Phrase {
  if (!to) return say`Alerts go nowhere yet: say billing alerts here in the channel that is to get them.`;
  return 'channelId' in to
    ? say`Alerts go to ${channel(to.channelId)}.`
    : say`Alerts go to ${person(to.userId)} alone, until somebody says billing alerts here in a channel.`;
}

function stateWords(alarm: Alarm): Phrase {
  const low = findOpen(alarm, 'low');
  if (findOpen(alarm, 'blind')) return say`🙈 Just now I can't tell how long the balance lasts.`;
  if (!low) return say`Just now nothing is low.`;
  const on = low.ack ? say`${person(low.ack.by)} is on it` : say`nobody is on it`;
  return say`Just now the balance is ${low.level === 'warn' ? 'low' : low.level}, since ${time(low.openedAt)}, and ${on}.`;
}

function everyWords(everyMs: number): string {
  const seconds = Math.round(everyMs / 1000);
  if (seconds < 1) return 'moment';
  if (seconds % 3_600 === 0) return seconds === 3_600 ? 'hour' : `${seconds / 3_600} hours`;
  if (seconds % 60 === 0) return seconds === 60 ? 'minute' : `${seconds / 60} minutes`;
  return seconds === 1 ? 'second' : `${seconds} seconds`;
}
