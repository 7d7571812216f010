import { isSame } from '../../core/confirmations/confirmation.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { startsAt } from '../../core/operations/grace.ts';
import type { Judgement } from '../../core/operations/kind.ts';
import type { Operation, Outcome, Seen } from '../../core/operations/operation.ts';
import type { AddonList } from '../../core/lookup/addon.ts';
import type { Timings } from '../../core/timings.ts';
import { addonOf } from './sight.ts';

/** An add-on is added, or removed. */
export type AddonChange = 'add' | 'remove';

const TARGETS = { add: 'present', remove: 'gone' } as const;
const MOST_SENDS = 3;

/**
 * What a look just before the call finds in its way: another instance under the name, an add-on that is there, or gone,
 * already, or a list that is certain to lack some, where one that is to be added may be. Pure.
 */
export function judgeBeforeChange(
  change: AddonChange,
  operation: Operation,
  instance: Instance | undefined,
  { addons, incomplete }: Pick<AddonList, 'addons' | 'incomplete'>,
): Omit<Outcome, 'at'> | undefined {
  const isAgain = operation.effect.sends > 0;
  const isThere = addonOf(operation, addons) !== undefined;
  if (isThere === (change === 'add')) return { result: 'done', code: isAgain ? 'seen' : 'already' };
  const isTheSame = instance !== undefined && isSame(operation.subject, instance);
  const isUnknown = change === 'add' && incomplete?.isCertain === true;
  if (isTheSame && !isUnknown) return undefined;
  if (isAgain) return { result: 'unknown', code: 'lost' };
  if (isTheSame) return { result: 'cancelled', code: 'incomplete' };
  return { result: 'cancelled', code: instance ? 'changed' : 'gone' };
}

/**
 * What a look means for a change that was accepted, or whose answer is lost. Pure. Adding costs money each time, so it is
 * never asked twice; a removal names what is to be gone, so it may be.
 */
export function judgeChange(
  change: AddonChange,
  operation: Operation,
  seen: Seen,
  now: number,
  timings: Timings,
): Judgement {
  const { effect } = operation;
  const end = (result: Outcome['result'], code: string): Judgement => ({
    next: 'end',
    outcome: { result, code },
  });
  const isAccepted = effect.state === 'watching';
  if (seen.status === TARGETS[change]) return end('done', isAccepted ? 'done' : 'seen');

  const ageMs = now - (effect.acceptedAt ?? effect.sentAt ?? operation.requestedAt);
  if (isAccepted) {
    return ageMs > timings.patienceMs
      ? end('unknown', 'still')
      : { next: 'look', slow: ageMs > Math.max(operation.longMs ?? 0, timings.slowAfterMs) };
  }
  const settleMs = effect.answered ? timings.settleAnsweredMs : timings.settleLostMs;
  if (now - (effect.sentAt ?? 0) < settleMs) return { next: 'look' };
  const isFresh = now - (startsAt(operation) ?? operation.requestedAt) < 2 * timings.acceptWithinMs;
  return change === 'remove' && isFresh && effect.sends < MOST_SENDS
    ? { next: 'send' }
    : end('unknown', 'lost');
}

/** What an answer "wrong state" or "no such thing" means, with what a look showed if one could be had. Pure. */
export function judgeRefusedChange(
  change: AddonChange,
  operation: Operation,
  seen: Seen | undefined,
  said: string | undefined,
): Omit<Outcome, 'at'> {
  const askedBefore = operation.effect.sends > 1;
  if (seen?.status === TARGETS[change]) return { result: 'done', code: askedBefore ? 'seen' : 'already' };
  if (askedBefore && !seen) return { result: 'unknown', code: 'lost' };
  return { result: 'failed', code: 'wrong-state', ...(said ? { said } : {}) };
}
