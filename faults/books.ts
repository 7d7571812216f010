import type { Operation } from '../src/operations/operation.ts';
import type { FaultedKind } from './kinds.ts';

/** What one person asked for, and what they were told there and then. */
export interface Asked {
  readonly token: string;
  readonly instanceId: string;
  readonly kind: FaultedKind;
  readonly userId: string;
  /** Whether Slack got its acknowledgement; where not, the person saw that it failed. */
  readonly acknowledged: boolean;
  /** What was shown to this person alone. */
  readonly told: readonly string[];
}

/** A call that would change something, as the hosting service received it. */
export interface Written {
  readonly instanceId: string;
  readonly kind: FaultedKind;
  readonly hadEffect: boolean;
}

/** A message everybody sees: the mark it bears and what it says now. */
export interface Shown {
  readonly mark: string;
  readonly text: string;
}

/** Everything known after a run, from the bot's records and from both services' own books. */
export interface Books {
  readonly asked: readonly Asked[];
  readonly operations: readonly Operation[];
  readonly written: readonly Written[];
  readonly shown: readonly Shown[];
  /** Requests that still stand unanswered. */
  readonly openRequests: number;
}
