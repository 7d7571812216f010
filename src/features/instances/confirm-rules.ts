import type { Power } from '../../platform/hosting/service.ts';
import type { ButtonToken } from '../../core/offers/button-token.ts';
import type { Past } from '../../core/operations/recent-store.ts';
import { FORCE_ROUTES, RESTART } from './route-ids.ts';

/** Why a stop or restart asks first. */
export type ReasonToAsk =
  | { readonly why: 'protected' }
  | { readonly why: 'restart-loop'; readonly times: number }
  | { readonly why: 'save-credits' }
  | { readonly why: 'restart-unknown' | 'restarted-lately' | 'started-by-another'; readonly past: Past };

const LATELY_MS = 10 * 60_000;
/** A fourth restart of one instance within a day is called a restart loop. */
const RESTARTS_OF_A_LOOP = 3;

/**
 * Whether a power action asks first, and why. Pure. `past` is what was done with the instance in the last day, newest
 * first; times are Unix ms.
 */
export function whyAsk(
  power: Power,
  facts: {
    readonly isProtected: boolean;
    readonly past: readonly Past[];
    readonly userId: string;
    readonly now: number;
    /** What the pressed button was shown for, if it was shown to be picked. */
    readonly pickedTo: ButtonToken['pickedTo'];
  },
): ReasonToAsk | undefined {
  if (power === 'start') return undefined;
  if (facts.isProtected) return { why: 'protected' };
  const times = countRestarts(facts.past);
  if (power === 'restart' && isLoop(times)) return { why: 'restart-loop', times };
  const latest = facts.past.find(isRestart);
  if (latest && facts.now - latest.at < LATELY_MS)
    return { why: isKnown(latest) ? 'restarted-lately' : 'restart-unknown', past: latest };
  const started = facts.past.find((one) => one.kind === 'instances.start' && isKnown(one));
  if (started && started.userId !== facts.userId) return { why: 'started-by-another', past: started };
  return facts.pickedTo && { why: facts.pickedTo };
}

/**
 * Whether a power action asks again although its person has said yes to what they were shown at `shownAt`, and why: somebody has
 * done the same since. Pure. `past`, `now` as above.
 */
export function whyAskAgain(
  power: Power,
  past: readonly Past[],
  { userId, shownAt, now }: { readonly userId: string; readonly shownAt: number; readonly now: number },
): ReasonToAsk | undefined {
  const since = past.filter(({ at }) => at > shownAt);
  return whyAsk(power, { isProtected: false, past: since, userId, now, pickedTo: undefined });
}

/** How many restarts were done, or taken by the service at least. Pure. */
export function countRestarts(past: readonly Past[]): number {
  return past.filter((one) => isRestart(one) && isKnown(one)).length;
}

/** Whether one more restart would be called a restart loop. Pure. */
export function isLoop(times: number): boolean {
  return times >= RESTARTS_OF_A_LOOP;
}

/** Whether it is a restart, also a forced one. */
function isRestart({ kind }: Past): boolean {
  return kind === RESTART || kind === FORCE_ROUTES.restart;
}

/** Whether it is known to have been done, or taken at least. */
function isKnown({ result }: Past): boolean {
  return result !== 'unknown';
}
