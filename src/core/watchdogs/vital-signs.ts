import { MINUTE_MS } from '../../platform/time/duration.ts';
import type { OldestDue } from './oldest-due.ts';

/** By what it is seen that the work of an account is really done. Times: Redis' clock, Unix ms. */
export interface VitalSigns {
  /** What is due first of each kind. */
  readonly oldest: readonly OldestDue[];
  /** The looks at its money; undefined where nobody makes any. */
  readonly looks:
    | {
        readonly everyMs: number;
        readonly unknownAfterMs: number;
        /** When somebody looked last, whatever came of it; 0 for never. */
        readonly checkedAt: number;
        /** When it was read last; undefined where nothing of it counts. */
        readonly readAt: number | undefined;
        readonly failingSince: number | undefined;
      }
    | undefined;
}

/** What is due waits for its turn for a second or two. */
const STUCK_MS = MINUTE_MS;
/** A look that is late by more than two others was not only slow. */
const MAX_LOOKS_MISSED = 3;

/** How long after the last look at the money nobody looks at it any more. `everyMs`: how often somebody does. Pure. */
export function lateAfterMs(everyMs: number): number {
  return MAX_LOOKS_MISSED * everyMs + MINUTE_MS;
}

/** Why the work isn't done as it should be; undefined where it is. Pure. */
export function vitalFault({ oldest, looks }: VitalSigns, now: number): string | undefined {
  const stuck = oldest.find(({ dueAt }) => now - dueAt >= STUCK_MS);
  if (stuck) return `work is overdue: ${stuck.kind}`;
  if (!looks) return undefined;
  const { everyMs, unknownAfterMs, checkedAt, readAt, failingSince } = looks;
  const lateMs = lateAfterMs(everyMs);
  if (now - checkedAt > lateMs) return 'nobody looks at the money';
  const isOld = readAt !== undefined && now - readAt > Math.max(lateMs, unknownAfterMs);
  const isUnknown = failingSince !== undefined && now - failingSince > unknownAfterMs;
  return isOld || isUnknown ? "the money can't be read" : undefined;
}
