import type { Ask } from '../ask/ask.ts';
import { DAY_MS } from '../../platform/time/duration.ts';

/** The value of a late ask that was pressed, and not typed. */
export const PRESSED = 'pressed';

/** What was typed or pressed so long before Slack delivers it is not begun: its person has gone on. */
export const LATE_AFTER_MS = 300_000;
const LONGEST_PRESS_MS = 7 * DAY_MS;

/** When something was done in Slack, from its own timestamps in seconds: the earliest that can be read, Unix ms. Pure. */
export function sentAtOf(...seconds: readonly (string | number | undefined)[]): { readonly sentAt?: number } {
  const moments = seconds.map((one) => Number(one ?? Number.NaN) * 1_000).filter((one) => one > 0);
  const sentAt = Math.min(...moments);
  return Number.isFinite(sentAt) ? { sentAt } : {};
}

/**
 * Whether so much time lies between what a person did and its delivery that they have gone on. Slack's clock is neither Redis' nor
 * that of this host, `hostNow` in Unix ms: one of these that is wrong makes nothing late. Pure.
 */
export function isLate(ask: Partial<Ask> & Pick<Ask, 'askedAt'>, hostNow: number): boolean {
  const { sentAt, askedAt } = ask;
  if (sentAt === undefined) return false;
  const ageMs = Math.min(askedAt, hostNow) - sentAt;
  // Slack delivers no press for so long: its time is none that says anything.
  return ageMs > LATE_AFTER_MS && !(isPressed(ask) && ageMs > LONGEST_PRESS_MS);
}

/** Whether it was pressed, picked or filled in, and not typed. */
function isPressed({ responseUrl, triggerId, value, picked, selected, text }: Partial<Ask>): boolean {
  return [responseUrl, triggerId, value, picked, selected, text].some((one) => one !== undefined);
}

/** What is taken in of an ask that comes too late: a word on it, in its place, by the route `lateRouteId`. Pure. */
export function lateAsk(
  { id, route, words, actor, place, sentAt, askedAt, ...more }: Ask,
  lateRouteId: string,
): Ask {
  return {
    id,
    route: lateRouteId,
    words: [route, ...words],
    ...(isPressed(more) ? { value: PRESSED } : {}),
    actor,
    place,
    sentAt,
    // What was pressed stays there to be pressed again.
    replaces: false,
    askedAt,
  };
}
