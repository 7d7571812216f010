import { tookOf } from './grace.ts';
import type { LookTimes } from './look-times.ts';
import type { Operation } from './operation.ts';
import { pastOf } from './recent-store.ts';

/** What an operation that has ended leaves for those that come after it; each is an empty text where there is none. */
export interface Memory {
  /** What was done with the instance, or may have been. */
  readonly past: string;
  /** How long it took (ms). */
  readonly tookMs: number | '';
  /** How long after it was accepted it had ended, as far as looks can tell (ms). */
  readonly endedAfterMs: number | '';
}

/** Leaves nothing. */
export const NO_MEMORY: Memory = { past: '', tookMs: '', endedAfterMs: '' };

/** What `operation`, which has just ended, leaves. Pure but for what `lookTimes` knows of its kind. */
export function memoryOf(operation: Operation, { endedAfter }: Pick<LookTimes, 'endedAfter'>): Memory {
  const { kind, outcome, execution } = operation;
  const past = pastOf(operation);
  const left = { ...NO_MEMORY, past: past ? JSON.stringify(past) : '' };
  if (outcome?.result !== 'done' || outcome.code !== 'done') return left;
  const { acceptedAt } = execution;
  return {
    ...left,
    tookMs: Math.round(tookOf(operation, outcome.at)),
    endedAfterMs: acceptedAt === undefined ? '' : Math.round(endedAfter(kind, outcome.at - acceptedAt)),
  };
}
