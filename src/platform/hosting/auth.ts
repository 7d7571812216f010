import type { Answer } from './answer.ts';

/** A call as it is about to leave. */
export interface OutgoingCall {
  readonly method: string;
  /** Whole, with its query. */
  readonly url: string;
  /** Those that it has besides, by their names in small letters. */
  readonly headers: Headers;
  /** As it is sent; empty where there is none. */
  readonly body: string;
  /** Now, by the clock of this machine: Unix ms. */
  readonly at: number;
}

export type Headers = Readonly<Record<string, string>>;

/** How the calls of a service show who asks. */
export interface Auth {
  /**
   * The headers that show it. `secret`: the key, or the token of the session that it was exchanged for. A signature of the call
   * is one of them.
   */
  readonly headers: (secret: string, call: OutgoingCall) => Headers;
  /**
   * What of the key stands in the paths of its calls, by the name that they have for it in braces: the project of
   * `/project/{project}/servers`. Each is one plain segment of a path. Throws Unreadable for a key that can't be one.
   */
  readonly inPath?: (key: string) => Readonly<Record<string, string>>;
  /**
   * For a service that takes no key with its calls: what the key is exchanged for first. The bot exchanges it before the token
   * ends, once for all of its processes. Throws Unreadable for a key that can't be one.
   */
  readonly session?: (key: string) => Exchange;
}

/** The request that exchanges a key for a token. */
export interface Exchange {
  /** A path below the prefix, or a whole URL where another address gives the tokens; HOSTING_LOGIN_URL stands in its place. */
  readonly at: string;
  readonly headers?: Headers;
  /** Sent as JSON; as a form where it is URLSearchParams. */
  readonly body?: unknown;
  readonly decode: (answer: Answer) => Session;
}

export interface Session {
  readonly token: string;
  /** How long (ms) from now it counts; a day where the service doesn't say. */
  readonly lastsMs?: number | undefined;
}

/** How a service is shown the key whose adapter doesn't say how. */
export const BEARER: Auth = keyInHeader('Authorization', 'Bearer');

/** The key itself in one header, after `scheme` where that is not empty. */
export function keyInHeader(header: string, scheme: string): Auth {
  return { headers: (secret) => ({ [header]: [scheme, secret].filter((part) => part !== '').join(' ') }) };
}
