import { key } from '../../../platform/redis/key.ts';
import type { OneKind, OneRecord } from '../../../core/records/one-record.ts';
import type { Entry } from '../../../core/audit/entry.ts';
import { type Alarm, alarmSchema, type Episode, isMain, NO_ALARM } from './alarm.ts';
import { monthIn, type Seen } from './seen.ts';

export type AlarmStore = OneRecord<Alarm>;

/** What is known and reported of the balance, or of the month. `id`: that of its jobs. */
export const ALARM: OneKind<Alarm> & { readonly id: string } = {
  id: 'alarm',
  key: key('alarm'),
  schema: alarmSchema,
  none: NO_ALARM,
  // What an alert did is recorded with the step by which it did.
  says: (after, before) => ({ audit: sightsBetween(before, after) }),
};

/** Nobody asks for it: what the audit keeps it under. */
const ROUTE = 'billing.alert';

/**
 * What the audit keeps of a step of the alarm: each level that was reached, who was told that nobody was on it, who let it go by
 * silence, and that it was over, under the reference of the alert. Pure.
 */
export function sightsBetween(before: Alarm, after: Alarm): readonly Entry[] {
  return after.episodes.flatMap((episode) => {
    const known = before.episodes.find(({ id }) => id === episode.id);
    return known === episode ? [] : sightsOf(known, episode, after);
  });
}

function sightsOf(
  known: Episode | undefined,
  episode: Episode,
  { checkedAt, seen }: Alarm,
): readonly Entry[] {
  const { id: requestId, kind, level, shown, closed, handedBack, escalatedTo = [], notices } = episode;
  const main = notices.findLast((one) => isMain(one.kind) && one.movedTo === undefined);
  const place = main && 'channelId' in main.to ? main.to.channelId : undefined;
  const read = closed?.seen ?? shown ?? seen;
  const about = monthIn(read) ? 'budget' : 'balance';
  const entry = { requestId, channelId: place, route: ROUTE, args: { about } };
  const saw = (result: string, more: Partial<Entry> = {}): Entry => ({
    ...entry,
    what: 'seen',
    at: checkedAt,
    result,
    ...more,
  });
  const told = (known?.escalatedTo ?? []).length < escalatedTo.length ? escalatedTo : [];
  const isSilent = handedBack && handedBack.by === undefined && handedBack.at !== known?.handedBack?.at;
  return [
    ...(kind === 'unknown' && !known ? [saw('unreadable')] : []),
    ...(kind === 'low' && level !== known?.level ? [saw(level, figureOf(shown))] : []),
    ...(isSilent ? [saw('handed back', { args: { about, userId: handedBack.from } })] : []),
    ...told
      .filter((userId) => !known?.escalatedTo?.includes(userId))
      .map((userId) => saw('told', { args: { about, userId } })),
    ...(closed && !known?.closed
      ? [
          {
            ...entry,
            what: 'over',
            at: closed.at,
            result: kind === 'unknown' && closed.how === 'recovered' ? 'seen-again' : closed.how,
            tookMs: Math.max(0, closed.at - episode.openedAt),
            ...figureOf(closed.seen),
          } as const,
        ]
      : []),
  ];
}

/** The figure as the service gave it. */
function figureOf(read: Seen | undefined): Pick<Entry, 'answer'> {
  if (!read) return {};
  return { answer: 'balance' in read ? read.balance : read.monthSoFar };
}
