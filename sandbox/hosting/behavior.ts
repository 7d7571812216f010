import type { Change, PowerAction } from './status.ts';
import type { ErrorStyle } from './variant.ts';

/** One way in which an answer goes wrong: an HTTP status, a connection that is reset without one, or only late. */
export interface Fault {
  readonly answer: number | 'reset' | 'as usual';
  /** Whether the change that was asked for happens all the same. */
  readonly done: boolean;
  readonly retryAfterSeconds?: number;
  /** Real milliseconds before the answer. */
  readonly delayMs?: number;
  /** What the error says, where it isn't the usual sentence for its status. */
  readonly message?: string;
  /** What is answered word for word with that status, for answers that are well-formed and make no sense. */
  readonly body?: string;
  /** How this one error is written, where it isn't the variant's way: a proxy's HTML page, say. */
  readonly errors?: ErrorStyle;
}

/** Where a power action ends: where it was asked to, nowhere (for ever under way), in `error`, or in 404. */
export type Ending = 'as-asked' | 'never' | 'error' | 'gone';

/** How an instance behaves, as data. Nothing given: like a healthy instance at an honest service. */
export interface Behavior {
  readonly endings?: Readonly<Partial<Record<PowerAction, Ending>>>;
  /** Which changes fail, how, and the number of times before they work (Infinity: always). */
  readonly fault?: Fault & { readonly on: readonly Change[]; readonly times: number };
  /** How long a power action on this instance takes, in place of the sandbox's own time. */
  readonly powerMs?: number;
  /** How long a deletion of it takes, in place of the sandbox's own time. */
  readonly deleteMs?: number;
  /** Once its deletion is through, somebody creates another under its name, with this id. */
  readonly comesBackAs?: number;
  /** Real milliseconds before any answer about this one instance is sent. The list isn't slowed. */
  readonly answerDelayMs?: number;
  /** Every power action is said to be possible and is taken; one that asks for what it is already changes nothing. */
  readonly takesAnything?: boolean;
}
