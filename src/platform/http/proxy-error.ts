import { NotSentError } from './never-connected.ts';

/** The proxy between the bot and a host let no connection through, so nothing of a call was sent. */
export class ProxyError extends NotSentError {
  /** The proxy's host and port, without the user and the password of its address. */
  readonly proxy: string;
  /** The host and port that it was to connect to. */
  readonly target: string;
  /** What it answered; undefined where no answer came, and `cause` says why. */
  readonly status: number | undefined;

  constructor(proxy: string, target: string, { status, cause }: { status?: number; cause?: unknown }) {
    super(`the proxy ${proxy} makes no connection to ${target} (${status ?? wordsOf(cause)})`, cause);
    this.name = 'ProxyError';
    this.proxy = proxy;
    this.target = target;
    this.status = status;
  }
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : 'no answer';
}
