import type { Timings } from '../timings.ts';
import { ended, isOnTheWay } from './effect.ts';
import type { OperationKind } from './kind.ts';
import type { Operation, Seen } from './operation.ts';

/** Whether the account's looks should include this operation. */
export function isWatched(operation: Operation): boolean {
  return ['sending', 'unsure', 'watching'].includes(operation.effect.state);
}

/** The operation after a look at its instance. */
export function looked(
  operation: Operation,
  kind: OperationKind,
  seen: Seen,
  now: number,
  timings: Timings,
): Operation | undefined {
  if (!isWatched(operation)) return undefined;
  const { effect } = operation;
  const before = effect.seen?.health ?? operation.subject.health;
  const dipped = before === 'healthy' && seen.health === 'unhealthy';
  const signWord = effect.signWord ?? signIn(seen, dipped);
  const next: Operation = {
    ...operation,
    effect: {
      ...effect,
      seen,
      looks: effect.looks + 1,
      blindLooks: 0,
      sign: effect.sign || signWord !== undefined,
      ...(signWord === undefined ? {} : { signWord }),
      nextAt: now + pauseMs(operation, now, timings),
    },
  };
  // While the call is out a look only collects signs, which tell a restart whose answer gets lost.
  if (effect.state === 'sending') return next;
  const judgement = kind.judge(next, seen, now);
  if (judgement.next === 'end') return ended(next, { ...judgement.outcome, at: now });
  if (judgement.next === 'send')
    return { ...next, effect: { ...next.effect, state: 'requested', nextAt: now } };
  return judgement.slow ? { ...next, effect: { ...next.effect, slow: true } } : next;
}

/** What a look shows of an action on its way, in a word; undefined where it shows nothing of it. */
function signIn(seen: Seen, dipped: boolean): string | undefined {
  if (isOnTheWay(seen)) return seen.status;
  return dipped ? 'unhealthy' : undefined;
}

/** The operation after a look that saw nothing because the hosting API failed. */
export function lookedBlindly(operation: Operation, now: number, timings: Timings): Operation | undefined {
  if (!isWatched(operation)) return undefined;
  const { effect } = operation;
  const isLate = now - (effect.sentAt ?? operation.requestedAt) > timings.patienceMs;
  if (isLate && effect.state !== 'sending') {
    return ended(operation, { result: 'unknown', code: 'blind', at: now });
  }
  const nextAt = now + pauseMs(operation, now, timings);
  return { ...operation, effect: { ...effect, blindLooks: effect.blindLooks + 1, nextAt } };
}

/** A fixed pause, longer for what takes long: back-off that doubles would notice a slow end late. */
function pauseMs(operation: Operation, now: number, timings: Timings): number {
  const age = now - (operation.effect.sentAt ?? operation.requestedAt);
  return age < timings.slowAfterMs ? timings.lookEveryMs : timings.slowLookEveryMs;
}
