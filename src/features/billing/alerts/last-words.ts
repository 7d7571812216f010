import type { LastWords } from '../../../core/watchdogs/farewell/last-words.ts';
import { lateAfterMs } from '../../../core/watchdogs/vital-signs.ts';
import { type Phrase, say, time } from '../../../platform/slack/phrase.ts';
import type { Alarm } from './alarm.ts';
import { destinationOf } from './alert-settings.ts';
import { onItWords } from './settings-message.ts';
import type { Watched } from './watched.ts';
import type { Billing } from '../billing.ts';

/** What nobody would see any more of the money; undefined where nobody looks at it from time to time. Throws what Redis throws. */
export type MoneyWords = () => Promise<Omit<LastWords, 'account'> | undefined>;

export function createMoneyWords(deps: Billing): MoneyWords {
  const { alarms, config, admins, watched, timings, clock } = deps;
  const everyMs = timings.billingCheckEveryMs;
  return async () => {
    if (!Number.isFinite(everyMs)) return undefined;
    const alarm = await alarms.get();
    const { settings, checkedAt, seen, isNotOffered } = alarm;
    const to = destinationOf(settings, config, admins());
    const isOn = !settings.isOff && !isNotOffered && watched.measureOf(settings) !== undefined;
    return {
      channelId: isOn && to && 'channelId' in to ? to.channelId : undefined,
      isWatched: clock.now() - checkedAt < lateAfterMs(everyMs),
      what: watched.command.read,
      figures: seen
        ? watched.face.figureLines(seen).map((line) => say`${line} · as of ${time(seen.at)}`)
        : [],
      open: openAlerts(alarm, watched),
    };
  };
}

function openAlerts({ episodes }: Alarm, { face, command }: Watched): readonly Phrase[] {
  return episodes
    .filter(({ closed }) => closed === undefined)
    .map((episode) =>
      episode.kind === 'unknown'
        ? say`I haven't been able to read ${command.read} since ${time(episode.openedAt)}`
        : say`The alert about ${face.about}: ${onItWords(episode)}`,
    );
}
