/** How the hosting API failed us. The HTTP status decides, never the words of an answer. */
export type HostingFault =
  | 'unauthorized'
  | 'no-credit'
  | 'forbidden'
  | 'not-found'
  | 'wrong-state'
  /** The service protects it against that. */
  | 'protected'
  /** Something else is under way on it; asked later, it may be done. */
  | 'busy'
  | 'bad-input'
  | 'rate-limited'
  | 'refused'
  /** It was not asked: its adapter couldn't build the call. */
  | 'not-built'
  /** It answered neither yes nor no: no success, and no refusal in its own form and with a status that is one. */
  | 'unclear'
  | 'unavailable'
  | 'unreachable'
  | 'no-answer'
  | 'unreadable';

/**
 * The hosting API did not do, or may not have done, what was asked.
 * `outcome` is `not-done` when nothing can have happened, `unknown` when it may have.
 * `answered` tells whether an HTTP answer arrived at all.
 */
export class HostingError extends Error {
  readonly fault: HostingFault;
  readonly outcome: 'not-done' | 'unknown';
  readonly retryable: boolean;
  readonly answered: boolean;
  /** Of its HTTP answer. */
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** What the service itself said, cut and on one line; foreign text. */
  readonly said: string | undefined;
  /** The service was not asked, because the bot has made as many calls as it may: the service has refused nothing. */
  readonly isOwnLimit: boolean;

  constructor(doing: string, details: HostingErrorDetails) {
    super(`${doing}: hosting API: ${details.status ?? details.fault}`, { cause: details.cause });
    this.name = 'HostingError';
    this.fault = details.fault;
    this.outcome = details.outcome;
    this.retryable = details.retryable;
    this.answered = details.status !== undefined;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.said = details.said;
    this.isOwnLimit = details.isOwnLimit ?? false;
  }
}

/** Whether nobody was asked, because of our own budget or a pause that the service wanted: then nothing has failed. */
export function isOutOfCalls(error: unknown): error is HostingError {
  return error instanceof HostingError && error.fault === 'rate-limited' && !error.answered;
}

/** Whether the service is down: it can't be reached, says so itself, or gives no answer in time. */
export function isDown(error: unknown): error is HostingError {
  return error instanceof HostingError && DOWN.has(error.fault);
}

const DOWN: ReadonlySet<HostingFault> = new Set(['unavailable', 'unreachable', 'no-answer']);

/** Whether a reading was put off rather than refused: no call was left, too many were made, or the service is down and says until when. */
export function isPutOff(error: unknown): error is HostingError {
  if (!(error instanceof HostingError)) return false;
  const { fault, retryAfterMs } = error;
  return fault === 'rate-limited' || (fault === 'unavailable' && retryAfterMs !== undefined);
}

/** Undefined for what the service couldn't be asked for, where the rest is worth having without it. Throws on any other error. */
export function asUnread(error: unknown): undefined {
  if (!(error instanceof HostingError)) throw error;
  return undefined;
}

export interface HostingErrorDetails {
  readonly fault: HostingFault;
  readonly outcome: 'not-done' | 'unknown';
  readonly retryable: boolean;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly said?: string;
  readonly isOwnLimit?: boolean;
  readonly cause?: unknown;
}

/** The faults that are of the key: it isn't taken (401), or it may lack a right and be a good key all the same (403). */
type KeyFault = Extract<HostingFault, 'unauthorized' | 'forbidden'>;

export function isKeyFault(fault: HostingFault): fault is KeyFault {
  return fault === 'unauthorized' || fault === 'forbidden';
}

/** What the hosting service did, as the rest of a sentence that begins with it. `what` was asked; `key`: which it was asked with. */
export function keyFaultWords(fault: KeyFault, what = 'that', key = "the bot's API key"): string {
  return fault === 'unauthorized' ? `refused ${key}` : `does not allow ${what} with ${key}`;
}
