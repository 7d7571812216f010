import type { Message } from '../../../platform/slack/message.ts';
import { channel, person, type Phrase, say, time } from '../../../platform/slack/phrase.ts';
import { type Alarm, type Episode, findOpen } from './alarm.ts';
import { countDuration } from '../../../platform/time/duration.ts';
import { levelOfSeen } from './judge.ts';
import type { Thresholds } from '../../../core/money/threshold.ts';
import { thresholdWords } from './level.ts';

/** How alerts are set and how things stand, for one person alone. `said`: what was just done. */
export function alertsMessage(
  alarm: Alarm,
  {
    thresholds,
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
  const { isOff = false } = alarm.settings;
  return {
    lines: [
      ...(said === undefined ? [] : [[{ type: 'text', text: said } as const]]),
      isOff
        ? say`🔕 Alerts are off; turn them on with billing alerts on.`
        : say`🔔 I warn below ${thresholdWords(thresholds.warn, unit)} and call it critical below ${thresholdWords(thresholds.critical, unit)}.`,
      placeWords(to),
      ...(isOff || !to
        ? [say`While ${isOff ? 'alerts are off' : 'they go nowhere'}, nobody checks how low the balance is.`]
        : [
            stateWords(alarm, thresholds),
            say`I check the balance ${everyWords(everyMs)}${alarm.checkedAt > 0 ? say`, last ${time(alarm.checkedAt)}` : ''}.`,
          ]),
    ],
  };
}

function placeWords(to: { channelId: string } | { userId: string } | undefined): Phrase {
  if (!to) return say`Alerts go nowhere yet. To choose a channel, type "/billing alerts here" in it.`;
  return 'channelId' in to
    ? say`Alerts go to ${channel(to.channelId)}. To choose another channel, type "/billing alerts here" in it.`
    : say`Alerts go to ${person(to.userId)} alone. To choose a channel, type "/billing alerts here" in it.`;
}

/** What is known of the level, by the thresholds as they are now: what was read last was judged by those of then. */
function stateWords(alarm: Alarm, thresholds: Thresholds): Phrase {
  const { seen, failingSince, isNotOffered } = alarm;
  if (isNotOffered) return say`This hosting service doesn't offer a balance, so there is nothing to warn of.`;
  if (findOpen(alarm, 'blind')) return say`🙈 Right now I can't tell how long the balance lasts.`;
  if (!seen)
    return failingSince === undefined
      ? say`The balance hasn't been checked yet.`
      : say`I can't tell yet how low the balance is; I have tried since ${time(failingSince)}.`;
  const level = levelOfSeen(seen, thresholds, alarm.level, seen);
  if (level === undefined)
    return say`I can't tell how low the balance is from what the service says a day costs.`;
  const low = findOpen(alarm, 'low');
  const since = low ? say`, since ${time(low.openedAt)}, and ${onItWords(low)}` : [];
  if (failingSince === undefined)
    return level === 'ok'
      ? say`Nothing is low right now.`
      : say`Right now the balance is ${LEVEL_WORDS[level]}${since}.`;
  const when = say`when I could last tell, ${time(seen.at)}`;
  return level === 'ok'
    ? say`Nothing was low ${when}.`
    : say`It was ${LEVEL_WORDS[level]} ${when}${low ? say`, and ${onItWords(low)}` : []}.`;
}

const LEVEL_WORDS = { warn: 'low', critical: 'critical', empty: 'used up or all but used up' } as const;

function onItWords({ ack }: Episode): Phrase {
  return ack ? say`${person(ack.by)} is on it` : say`nobody is on it`;
}

const UNIT_WORDS = { h: 'hour', m: 'minute', s: 'second' } as const;

function everyWords(everyMs: number): string {
  if (!Number.isFinite(everyMs)) return 'when somebody asks';
  const seconds = Math.round(everyMs / 1000);
  if (seconds < 1) return 'all the time';
  const { count, unit } = countDuration(seconds * 1000, ['h', 'm']);
  return count === 1 ? `every ${UNIT_WORDS[unit]}` : `every ${count} ${UNIT_WORDS[unit]}s`;
}
