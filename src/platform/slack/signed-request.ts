import type { IncomingMessage } from 'node:http';
import { readBody } from '../http/server.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';

/** A request that Slack signed: its body as it came, and the signature, which names it. */
interface SignedRequest {
  readonly raw: Buffer;
  readonly signature: string;
}

/** Why a request is none that Slack signed just now, and the status that says so. `offByMs`: how far its time is off ours. */
interface NotSigned {
  readonly status: 401 | 413 | 415;
  readonly why: 'compressed' | 'oversized' | 'unsigned' | 'signature' | 'time';
  readonly offByMs?: number;
}

/** Reads a request and its signature, before anything of it is parsed. Throws where the connection breaks. */
export type ReadSigned = (request: IncomingMessage) => Promise<SignedRequest | NotSigned>;

const MAX_BYTES = 1024 * 1024;

/** `secret`: with which Slack signs; without it nothing is signed. */
export function createReadSigned(secret: string | undefined): ReadSigned {
  return async (request) => {
    // Slack compresses nothing; a bomb could come no other way.
    if (request.headers['content-encoding'] !== undefined) return { status: 415, why: 'compressed' };
    const raw = await readBody(request, MAX_BYTES);
    if (!raw) return { status: 413, why: 'oversized' };
    const timestamp = header(request, 'x-slack-request-timestamp');
    const signature = header(request, 'x-slack-signature');
    const now = Date.now();
    const signed = judgeSigned(secret, { timestamp, signature }, raw, now);
    if (signed === 'unsigned') return { status: 401, why: 'unsigned' };
    if (signed === 'wrong') return { status: 401, why: 'signature' };
    if (signed === 'off time') return { status: 401, why: 'time', offByMs: Number(timestamp) * 1_000 - now };
    return { raw, signature: String(signature) };
  };
}

/** A header that was sent once; undefined where it was sent not at all, or several times. */
export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? undefined : value;
}

const OLDEST_SECONDS = 300;

/** What a signature says: `off time` is Slack's own, for another time than ours. */
type Signed = 'signed' | 'unsigned' | 'wrong' | 'off time';

/**
 * Whether a request was signed by Slack, with this secret, within the last five minutes, by our clock, and not for the future
 * either (Bolt lets future ones pass). `now` in Unix ms. Never throws.
 */
export function judgeSigned(
  secret: string | undefined,
  headers: { timestamp: string | undefined; signature: string | undefined },
  body: Buffer,
  now: number,
): Signed {
  const { timestamp, signature } = headers;
  if (timestamp === undefined || signature === undefined || !/^\d{1,12}$/.test(timestamp)) return 'unsigned';
  if (secret === undefined) return 'wrong';
  const given = Buffer.from(signature);
  const expected = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex');
  const wanted = Buffer.from(`v0=${expected}`);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return 'wrong';
  return Math.abs(now / 1000 - Number(timestamp)) > OLDEST_SECONDS ? 'off time' : 'signed';
}

/** How long Slack's signature is good for, from the oldest time that is taken to the latest in the future. */
const GOOD_FOR_MS = 600_000;
/** So many are remembered at least. Past that a replay is known by its record alone. */
const ENOUGH = 20_000;

/**
 * Knows signed requests that came to this process before, in its memory: the acknowledgement of a word that nobody
 * knows takes 0.1 ms of CPU, and would wait for Redis otherwise. What anything comes of is refused by its record as well, whichever process
 * a replay comes to. `now`: any clock that only goes forward, ms.
 */
export function createSeenRequests(now: () => number = () => performance.now()): {
  /** Whether this signature comes for the first time; remembers it. */
  isFirst(signature: string): boolean;
} {
  let recent = new Set<string>();
  let before = new Set<string>();
  let since = now();
  return {
    isFirst: (signature) => {
      if (recent.size >= ENOUGH || now() - since > GOOD_FOR_MS) {
        before = recent;
        recent = new Set();
        since = now();
      }
      if (recent.has(signature) || before.has(signature)) return false;
      recent.add(signature);
      return true;
    },
  };
}
