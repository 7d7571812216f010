/** What is told outside of Slack, in plain text and as figures. */
export interface Letter {
  /** The same for each try of it, so that whoever gets it twice can tell. */
  readonly id: string;
  /** Since when it is to be told, Unix ms. */
  readonly at: number;
  readonly text: string;
  /** What machines read of it; amounts are decimals. */
  readonly facts: Readonly<Record<string, string>>;
}

/** Takes letters to one place outside of Slack. */
export interface Courier {
  /** Whether the place can tell by its id that it has a letter already, so that one whose answer was lost may go again. */
  readonly isRepeatable: boolean;
  /** Resolves once the place has it. Throws a DeliveryFault. */
  deliver(letter: Letter): Promise<void>;
}

/** A place did not take a letter, or may have. `code`: why, without any secret. */
export class DeliveryFault extends Error {
  readonly outcome: 'not-done' | 'unknown';
  readonly code: string;
  /** It says no to this letter however often it is asked. */
  readonly dead: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(
    code: string,
    details: { outcome: 'not-done' | 'unknown'; dead?: boolean; retryAfterMs?: number | undefined },
  ) {
    super(`not delivered: ${code}`);
    this.name = 'DeliveryFault';
    this.code = code;
    this.outcome = details.outcome;
    this.dead = details.dead ?? false;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** The code of a letter of which nobody can know whether it arrived. */
export const UNKNOWN_OUTCOME = 'unknown-outcome';

/** The code of a letter to whose place the proxy gives no connection. */
export const NO_WAY_BY_PROXY = 'no-way-by-proxy';
