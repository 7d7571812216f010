import { HOUR_MS } from '../../../platform/time/duration.ts';
import { Refusal } from '../../../core/refusal.ts';
import { type Phrase, say } from '../../../platform/slack/phrase.ts';
import { type Alarm, type Episode, findOpen, withEpisode } from './alarm.ts';
import { rank } from './level.ts';

/** What people do about an alert, as pure functions. Each throws a Refusal where there is no such alert any more. */

const MAX_SNOOZE_MS = { low: 7 * 24 * HOUR_MS, critical: 24 * HOUR_MS } as const;

/** Why there is nothing to answer; undefined where there is an alert. */
export function nothingOpen(alarm: Alarm): Phrase | undefined {
  return findOpen(alarm, 'low')
    ? undefined
    : say`There is no alert right now, so there is nothing to answer.`;
}

/** The open alert; `episodeId` where a button is about one of them. */
function openLow(alarm: Alarm, episodeId: string | undefined): Episode {
  const open = findOpen(alarm, 'low');
  if (open && (episodeId === undefined || open.id === episodeId)) return open;
  throw new Refusal(
    'no-alert',
    (episodeId === undefined ? nothingOpen(alarm) : undefined) ??
      say`That alert is over, so there is nothing to answer any more.`,
  );
}

/** Somebody is on it, or still is. */
export function acked(alarm: Alarm, episodeId: string | undefined, by: string, now: number): Alarm {
  const { handedBack: _, ...open } = openLow(alarm, episodeId);
  return withEpisode(alarm, { ...open, ack: { by, at: now } });
}

/**
 * Nobody is on it any more: said by the person who was, or by another where that one is away. Once more by the same person
 * changes nothing.
 */
export function handedBack(alarm: Alarm, episodeId: string | undefined, by: string, now: number): Alarm {
  const { ack, escalatedTo: _, ...rest } = openLow(alarm, episodeId);
  if (ack)
    return withEpisode(alarm, {
      ...rest,
      unacknowledgedSince: now,
      handedBack: { from: ack.by, by, at: now },
    });
  if (rest.handedBack?.by === by) return alarm;
  throw new Refusal('nobody-on-it', say`Nobody is on it, so there is nothing to hand back.`);
}

/** Quiet for a while; never permanently, and for a critical alert a day at most. Getting a level worse ends it sooner. */
export function snoozed(
  alarm: Alarm,
  episodeId: string | undefined,
  by: string,
  forMs: number,
  now: number,
): Alarm {
  const open = openLow(alarm, episodeId);
  const isCritical = rank(open.level) >= rank('critical');
  if (forMs > MAX_SNOOZE_MS[isCritical ? 'critical' : 'low'])
    throw new Refusal(
      'too-long',
      isCritical
        ? say`A critical alert can be snoozed for a day at most. Nothing was changed.`
        : say`An alert can be snoozed for seven days at most. Nothing was changed.`,
    );
  return withEpisode(alarm, { ...open, snooze: { by, until: now + forMs } });
}

/** Heard of as usual again, from now on; where it isn't snoozed, that is so already. */
export function unsnoozed(alarm: Alarm, episodeId: string | undefined, now: number): Alarm {
  const { snooze, ...open } = openLow(alarm, episodeId);
  // Who has been let be until now gets as long as for a new one.
  return snooze ? withEpisode(alarm, { ...open, unacknowledgedSince: now }) : alarm;
}

/** The alarm in which what `from` has of the open alert is `to`'s; `ids`: `…/ack`, `…/snooze`. Undefined where they don't have all of it. */
export function passedOn(
  alarm: Alarm,
  ids: readonly string[],
  { from, to, at }: { readonly from: string; readonly to: string; readonly at: number },
): Alarm | undefined {
  const open = findOpen(alarm, 'low');
  if (!open) return undefined;
  const { id, ack, snooze } = open;
  const isOn = ack?.by === from && ids.includes(`${id}/ack`);
  const isQuiet = snooze?.by === from && ids.includes(`${id}/snooze`);
  if (Number(isOn) + Number(isQuiet) !== ids.length) return undefined;
  return withEpisode(alarm, {
    ...open,
    // They have not been asked yet whether they still are.
    ...(isOn ? { ack: { by: to, at } } : {}),
    ...(isQuiet ? { snooze: { ...snooze, by: to } } : {}),
  });
}
