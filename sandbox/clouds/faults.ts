import { matches, type CallMatcher } from '../hosting/calls.ts';

/**
 * How one call goes wrong. With `acts`, what was asked for is done first; its answer is what is lost.
 * - `status`: an error of that status, with the cloud's own body
 * - `reset`: the connection is cut
 * - `slow`: done, and answered once `until` has settled; with `before`, done only then
 * - `too-many`: 429 with the cloud's headers, and nothing done
 * - `malformed`: done, and the JSON of the answer breaks off in the middle
 * - `html`: a page of a proxy in front of the cloud
 * - `action-fails`: accepted, and the action ends in an error; with `isLost`, the connection is cut as well
 * - `never-stops`: accepted and completed, and the machine stays as it is
 */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message?: string;
      readonly code?: string;
      readonly acts?: boolean;
    }
  | { readonly kind: 'reset'; readonly acts?: boolean }
  | { readonly kind: 'slow'; readonly until: Promise<unknown>; readonly before?: boolean }
  | { readonly kind: 'too-many'; readonly waitSeconds?: number }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'html'; readonly status?: number; readonly acts?: boolean }
  | { readonly kind: 'action-fails'; readonly isLost?: boolean }
  | { readonly kind: 'never-stops' };

/** A request as it was received. The token is never kept. */
export interface RecordedCall {
  readonly method: string;
  /** With the base, without the query. */
  readonly path: string;
  readonly query: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** Parsed; undefined where nothing or no JSON was sent. */
  body: unknown;
  /** `pending` until answered; `reset` when the connection was cut in place of an answer. */
  status: number | 'pending' | 'reset';
  /** Whether an action was begun, whatever its answer was. */
  hadEffect: boolean;
}

/** What is to go wrong, and with which call. */
export interface Faults {
  /** The next matching calls go wrong, as many as `times`. Gives what takes the fault back. */
  failNext(matcher: CallMatcher, fault: Fault, times?: number): () => void;
  /** The fault of this call, if it has one. */
  take(call: RecordedCall): Fault | undefined;
}

export function createFaults(): Faults {
  const waiting = new Set<{ matcher: CallMatcher; fault: Fault; left: number }>();
  return {
    failNext(matcher, fault, times = 1) {
      const entry = { matcher, fault, left: times };
      waiting.add(entry);
      return () => void waiting.delete(entry);
    },
    take(call) {
      const entry = [...waiting].find(({ matcher }) => matches(matcher, call));
      if (entry === undefined) return undefined;
      entry.left -= 1;
      if (entry.left <= 0) waiting.delete(entry);
      return entry.fault;
    },
  };
}
