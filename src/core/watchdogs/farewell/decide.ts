import type { ScheduledPost } from '../../../platform/slack/scheduled-posts.ts';
import type { LastWords, FarewellRecord, Scheduled } from './record.ts';

/** How far ahead a farewell is scheduled. */
export const FAREWELL_AFTER_MS = 20 * 60_000;

/** How often it is pushed forward. */
export interface FarewellTimings {
  readonly farewellEveryMs: number;
}

/** Slack takes none back that is due in less than a minute … */
const NOT_TAKEN_BACK_MS = 60_000;
/** … and says that it did, and posts it all the same, where it is due in less than five: https://github.com/slackapi/bolt-js/issues/1857 */
const SURELY_TAKEN_BACK_MS = 6 * 60_000;
/** What is scheduled for later than this beyond the usual was made by a clock that was wrong. */
const TOO_FAR_MS = 60_000;
/** Slack posts what is due a little later. */
const POSTED_AFTER_MS = 15_000;
/** Of what Slack has said nothing for so long nobody will hear any more … */
const SOUGHT_FOR_MS = 24 * 3_600_000;
/** … and beside one that the bot has told of none of the same silence is posted after this. */
const TOLD_FOR_MS = 3_600_000;

/** A channel with what is to be done there: first one is scheduled, and only where that is certain the others are taken back. */
export interface Plan {
  readonly channelId: string;
  readonly schedules: boolean;
  readonly cancels: readonly ScheduledPost[];
}

/**
 * What is to be done so that each channel has one farewell ahead of a bot that lives, by what Slack has. One that would be the last of a
 * channel is never taken back before a later one is there: who dies in between leaves two, and never none. Pure.
 */
export function decide(
  pending: readonly ScheduledPost[],
  words: readonly Pick<LastWords, 'channelId' | 'isWatched'>[],
  now: number,
  { farewellEveryMs }: FarewellTimings,
): readonly Plan[] {
  const wanted = channelsOf(words);
  const watched = channelsOf(words.filter(({ isWatched }) => isWatched));
  const channelIds = [...new Set([...wanted, ...pending.map(({ channelId }) => channelId)])];
  return channelIds.map((channelId) => {
    const own = pending
      .filter((one) => one.channelId === channelId)
      .toSorted((one, other) => one.postAt - other.postAt);
    const newest = own.findLast(({ postAt }) => postAt <= now + FAREWELL_AFTER_MS + TOO_FAR_MS);
    const isAhead = newest !== undefined && newest.postAt > now + FAREWELL_AFTER_MS - farewellEveryMs;
    const schedules = watched.includes(channelId) && !isAhead;
    const kept = schedules || !wanted.includes(channelId) ? undefined : (newest ?? own[0]);
    const cancels = own.filter((one) => one !== kept && one.postAt - now > NOT_TAKEN_BACK_MS);
    return { channelId, schedules, cancels };
  });
}

/** The channels that are named. Pure. */
function channelsOf(words: readonly Pick<LastWords, 'channelId'>[]): readonly string[] {
  return [...new Set(words.flatMap(({ channelId }) => channelId ?? []))];
}

/** Whether what Slack has is to be looked at, and put right. Pure. */
export function isDue(
  { keptAt, channelIds }: FarewellRecord,
  words: readonly Pick<LastWords, 'channelId' | 'isWatched'>[],
  now: number,
  { farewellEveryMs }: FarewellTimings,
): boolean {
  const wanted = channelsOf(words);
  const watched = watchedIn(words);
  if (channelIds.some((one) => !wanted.includes(one))) return true;
  if (watched.some((one) => !channelIds.includes(one))) return true;
  if (keptAt === 0) return words.length > 0 && wanted.length === 0;
  return watched.length > 0 && now - keptAt >= farewellEveryMs;
}

/** The channels of whose accounts at least one is watched. Pure. */
export function watchedIn(words: readonly Pick<LastWords, 'channelId' | 'isWatched'>[]): readonly string[] {
  return channelsOf(words.filter(({ isWatched }) => isWatched));
}

/**
 * The record once Slack has taken some back, and of some there is nothing left to do: without those of which nobody will hear any more. Pure.
 */
export function withoutOver(
  record: FarewellRecord,
  { canceled, over }: { readonly canceled: readonly ScheduledPost[]; readonly over: readonly Over[] },
  now: number,
): FarewellRecord {
  const scheduled = record.scheduled.flatMap((one) => {
    const ended = over.find(({ key }) => key === one.key);
    if (ended) return ended.isTold ? [{ ...one, isTold: true as const }] : [];
    const isCanceled =
      one.postAt - now >= SURELY_TAKEN_BACK_MS && canceled.some((other) => isSame(one, other));
    const isOld = now - one.postAt > (one.isTold ? TOLD_FOR_MS : SOUGHT_FOR_MS);
    return isCanceled || isOld ? [] : [one];
  });
  return { ...record, scheduled };
}

/** One of which nothing is left to do: it was told of, or it isn't there. */
export interface Over {
  readonly key: string;
  readonly isTold: boolean;
}

/** A whole second of which no other in its channel is, since Slack tells them apart by nothing else; from `atMs` on, Unix ms. Pure. */
export function freeSecond(scheduled: readonly Scheduled[], channelId: string, atMs: number): number {
  let postAt = Math.floor(atMs / 1_000) * 1_000;
  while (scheduled.some((one) => one.channelId === channelId && one.postAt === postAt)) postAt += 1_000;
  return postAt;
}

function isSame(one: Scheduled, other: ScheduledPost): boolean {
  return one.channelId === other.channelId && one.postAt === other.postAt;
}

/** Those that stand in their channel by now, unless they were never scheduled or taken back in the last moment; the oldest first. Pure. */
export function maybePosted(
  { scheduled }: FarewellRecord,
  pending: readonly ScheduledPost[],
  now: number,
): readonly Scheduled[] {
  return scheduled
    .filter((one) => !one.isTold && now - one.postAt >= POSTED_AFTER_MS)
    .filter((one) => !pending.some((other) => isSame(one, other)))
    .toSorted((one, other) => one.postAt - other.postAt);
}
