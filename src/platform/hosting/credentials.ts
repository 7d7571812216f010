import { isId } from './address.ts';
import { building } from './unreadable.ts';
import type { Auth, Headers, OutgoingCall } from './auth.ts';
import { HostingError } from './hosting-error.ts';
import type { Held, Sessions } from './sessions.ts';
import { Unreadable } from './unreadable.ts';

/** What shows a service who calls. */
export interface Credentials {
  /** What the next call shows. `doing`: for the log. Throws HostingError, with which nothing was done. */
  take(doing: string): Promise<Shown>;
  /** The service refused it. Tells whether something else may be shown. */
  refused(shown: Shown): boolean;
  /** A text without what was exchanged for the key. */
  redact(text: string): string;
}

export interface Shown {
  readonly session?: Held;
  /** A path with what of the key stands in it. */
  readonly pathOf: (path: string) => string;
  readonly headersOf: (call: OutgoingCall) => Headers;
}

/** The key as a service wants to see it. `sessions`: where it is exchanged first. */
export function createCredentials({
  auth: { headers, inPath },
  key,
  sessions,
}: {
  readonly auth: Auth;
  readonly key: string;
  readonly sessions?: Sessions | undefined;
}): Credentials {
  return {
    take: async (doing) => {
      const session = await sessions?.get(key, doing);
      const secret = session?.token ?? key;
      const shown = {
        pathOf: inPath ? filling(inPath, key, doing) : (path: string) => path,
        headersOf: (call: OutgoingCall) => building(doing, () => headers(secret, call)),
      };
      return session ? { ...shown, session } : shown;
    },
    refused: ({ session }) => session !== undefined && sessions?.refused(session) === true,
    redact: (text) => sessions?.redact(text) ?? text,
  };
}

/** Puts what of the key stands in a path there. Throws HostingError, with which nothing was done. */
function filling(
  inPath: NonNullable<Auth['inPath']>,
  apiKey: string,
  doing: string,
): (path: string) => string {
  const parts = partsIn(inPath, apiKey, doing);
  for (const [name, value] of Object.entries(parts))
    if (!isId(value)) throw keyRefused(doing, `the ${name} in the key can't stand in a path`);
  // The path of a next page may have been a URL meanwhile, which writes braces as these.
  return (path) =>
    path.replace(/(?:\{|%7B)(\w+)(?:\}|%7D)/gi, (whole, name: string) =>
      Object.hasOwn(parts, name) ? (parts[name] ?? whole) : whole,
    );
}

function partsIn(
  inPath: NonNullable<Auth['inPath']>,
  apiKey: string,
  doing: string,
): Readonly<Record<string, string>> {
  try {
    return inPath(apiKey);
  } catch (error) {
    if (error instanceof Unreadable) throw keyRefused(doing, error.message);
    return building(doing, () => {
      throw error;
    });
  }
}

/** A key that can't be one, with which nothing was asked. `said`: why. */
export function keyRefused(doing: string, said: string): HostingError {
  return new HostingError(doing, { fault: 'unauthorized', said, outcome: 'not-done', retryable: false });
}

/** For a call that shows nothing: the one that exchanges the key. */
export const NOBODY: Credentials = {
  take: async () => ({ pathOf: (path) => path, headersOf: () => ({}) }),
  refused: () => false,
  redact: (text) => text,
};
