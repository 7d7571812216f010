import { startsAt } from '../operations/cancel-window.ts';
import type { Judgment } from '../operations/kind.ts';
import type { Operation, Outcome } from '../operations/operation.ts';
import type { Timings } from '../timings.ts';
import type { OutcomeCode } from '../outcome-words.ts';

/** How often what names its target is asked for. */
const MAX_SENDS = 3;

/** What a poll has shown: whether it is as asked, and whether the call may be sent again. */
interface Reached {
  readonly isReached: boolean;
  readonly mayRepeat: boolean;
}

/** What a poll means for a change that was accepted, or whose answer is lost. Pure. */
export function judgeChange(
  operation: Operation,
  { isReached, mayRepeat }: Reached,
  now: number,
  timings: Timings,
): Judgment {
  const { execution, requestedAt, longMs } = operation;
  const isAccepted = execution.state === 'accepted';
  if (isReached) return end('done', isAccepted ? 'done' : 'found-done');

  const ageMs = now - (execution.acceptedAt ?? execution.sentAt ?? requestedAt);
  if (isAccepted) {
    return ageMs > timings.patienceMs
      ? end('unknown', 'no-end')
      : { next: 'poll', slow: ageMs > Math.max(longMs ?? 0, timings.slowAfterMs) };
  }
  if (now - (execution.sentAt ?? 0) < timings.settleMs) return { next: 'poll' };
  return mayRepeat && maySendAgain(operation, now, timings) ? { next: 'send' } : end('unknown', 'no-answer');
}

/** Whether a call that names its target may leave once more: not too often, nor minutes after it was asked for. Pure. */
export function maySendAgain(operation: Operation, now: number, timings: Timings): boolean {
  const { execution, requestedAt } = operation;
  const since = startsAt(operation) ?? requestedAt;
  return execution.sends < MAX_SENDS && now - since < 2 * timings.acceptWithinMs;
}

function end(result: Outcome['result'], code: OutcomeCode): Judgment {
  return { next: 'end', outcome: { result, code } };
}

/** What an answer "wrong state" or "no such thing" means, with the state that was read after it, if it could be. Pure. */
export function judgeRefusedChange(
  { execution }: Operation,
  isReached: boolean,
  said: string | undefined,
): Omit<Outcome, 'at'> {
  const askedBefore = execution.sends > 1;
  if (isReached) return { result: 'done', code: askedBefore ? 'found-done' : 'already' };
  // The call before may still do it, whatever is said to this one.
  if (askedBefore) return { result: 'unknown', code: 'no-answer', ...(said ? { said } : {}) };
  return { result: 'failed', code: 'wrong-state', ...(said ? { said } : {}) };
}
