import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Auth, Session } from './auth.ts';
import { baseOf } from './address.ts';
import { createCredentials, type Credentials, keyRefused, NOBODY } from './credentials.ts';
import { HostingError, type HostingFault, isKeyFault } from './hosting-error.ts';
import { createRequester, type SendingOptions } from './request.ts';
import { createSessions, type SessionStore } from './sessions.ts';
import { readAs, reading, Unreadable } from './unreadable.ts';

/** How soon the login is asked again that refuses a key. */
const ASK_AGAIN_MS = 300;
const DOING = 'exchanging the key for a token';
/** What refuses the key itself, at an address where nothing else is asked for. */
const OF_THE_KEY: ReadonlySet<HostingFault> = new Set(['refused', 'forbidden', 'unauthorized', 'bad-input']);
/** What may be over a moment later. */
const PASSING: ReadonlySet<HostingFault> = new Set(['rate-limited', 'unreachable', 'unavailable']);
/** What else is told as it is. Anything besides, such as a login that isn't there, is of no instance that was asked for. */
const TOLD: ReadonlySet<HostingFault> = new Set(['rate-limited', 'unreachable', 'unreadable', 'not-built']);

/** A token goes into a header, and is taken out of texts: a short one would take other words with it. */
export const sessionWire = z.object({
  token: z.string().regex(/^[\x20-\x7e]{8,}$/, 'must be 8 printable characters of ASCII at least'),
  lastsMs: z.number().positive().optional(),
});

export interface ServiceCredentials {
  readonly auth: Auth;
  /** Where the service is. */
  readonly url: string;
  readonly prefix: string;
  /** Where tokens are asked for, whole, in place of where the adapter says. */
  readonly loginUrl: string | undefined;
  readonly key: string;
  readonly store: SessionStore;
  /** Redis' time, Unix ms. */
  readonly now: () => number;
}

/** What the calls of a service show, with a session that is opened at its login where it wants one. */
export function createServiceCredentials(
  { auth, key, store, now, ...place }: ServiceCredentials,
  sending: SendingOptions,
): Credentials {
  const { session } = auth;
  if (!session) return createCredentials({ auth, key });
  const open = createOpen(session, place, sending);
  return createCredentials({ auth, key, sessions: createSessions({ store, open, now }) });
}

/** Asks for a token: one call an hour or so, outside of the budget. */
function createOpen(
  session: NonNullable<Auth['session']>,
  { url, prefix, loginUrl }: Pick<ServiceCredentials, 'url' | 'prefix' | 'loginUrl'>,
  sending: SendingOptions,
): (apiKey: string) => Promise<Session> {
  const base = baseOf(url, prefix);
  const budget = { take: async () => undefined, pause: async () => undefined };
  // A token is read as it came; what goes further of an answer is redacted below. Its errors may have a form of their own: whatever
  // isn't a page refuses the key.
  const service = { isError: isRecord, sentenceOf: sending.service?.sentenceOf };
  const atLogin = { ...sending, redact: (text: string) => text, service };
  const ask = async (apiKey: string): Promise<Session> => {
    try {
      const { at, headers, body, decode } = session(apiKey);
      const login = new URL(loginUrl ?? (at.startsWith('/') ? `${base.origin}${base.path}${at}` : at));
      const requester = createRequester({ ...atLogin, origin: login.origin, credentials: NOBODY, budget });
      const path = `${login.pathname}${login.search}`;
      const answer = await requester
        .write({ doing: DOING, method: 'POST', path, headers, body })
        .finally(() => void requester.close());
      return reading(DOING, answer, (given) => readAs(sessionWire, decode(given)));
    } catch (error) {
      throw notDone(error, sending.redact);
    }
  };
  return (apiKey) =>
    ask(apiKey).catch(async (error: unknown) => {
      // Of a key that was refused once nothing is known yet; a call that can't be built is never sent.
      if (!(error instanceof HostingError && error.status !== undefined && isKeyFault(error.fault)))
        throw error;
      await wait(ASK_AGAIN_MS);
      return ask(apiKey);
    });
}

function isRecord(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/** Whatever went wrong, the call that the token was for has not left. What was thrown may hold a token: it goes no further. */
function notDone(error: unknown, redact: SendingOptions['redact']): HostingError {
  if (error instanceof Unreadable) return keyRefused(DOING, redact(error.message));
  const { fault, status, said, retryAfterMs } =
    error instanceof HostingError ? error : { ...NOT_KNOWN, fault: 'not-built' as const };
  const isOfTheKey = OF_THE_KEY.has(fault);
  const told = TOLD.has(fault) ? fault : 'unavailable';
  return new HostingError(DOING, {
    fault: isOfTheKey ? 'unauthorized' : told,
    outcome: 'not-done',
    retryable: PASSING.has(isOfTheKey ? 'unauthorized' : told),
    ...(isOfTheKey && status !== undefined ? { status } : {}),
    ...(said === undefined ? {} : { said: redact(said) }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

const NOT_KNOWN = { status: undefined, said: undefined, retryAfterMs: undefined };
