import { readTypedEnd } from '../../../core/sentences/end.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';

/** What can be typed, as the field's hint says it. */
export const PAUSE_EXAMPLES = '3d, 2w, 18:00, mon 08:00, 2026-12-24 or 2026-12-24 18:00';
/** Nothing is paused for longer. */
const MAX_DAYS = 365;
/** A day begins with what is scheduled on it. */
const MIDNIGHT = { hour: 0, minute: 0 };

/** `3d`, `18:00`, `mon 08:00`, `2026-12-24 18:00` after `now`, both Unix ms, by the clock in `zone`; undefined for anything else. */
export function parsePause(typed: string, zone: string, now: number): number | undefined {
  const until = readTypedEnd(typed, { at: now, zone }, { ofDay: MIDNIGHT })?.until;
  return until !== undefined && until <= now + MAX_DAYS * DAY_MS ? until : undefined;
}
