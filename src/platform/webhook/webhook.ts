import { createHmac } from 'node:crypto';
import { type Courier, DeliveryFault, type Letter } from '../courier.ts';
import { connectionFaultIn, wasNeverConnected } from '../http/connection-fault.ts';
import type { WayOut } from '../http/way-out.ts';

/** How long a receiver may take for one letter. */
const TAKEN_WITHIN_MS = 10_000;
/** It says that nobody is there for good. */
const GONE = 410;
const MAX_RETRY_AFTER_SECONDS = 3_600;

/**
 * Posts letters as JSON to one address, signed. A receiver tells a repeat by the id. `secret`: what it is signed with; `now`: Unix
 * ms, by the clock that the receiver compares with.
 */
export function createWebhook({
  url,
  secret,
  wayOut,
  timeoutMs = TAKEN_WITHIN_MS,
  now = Date.now,
}: {
  readonly url: string;
  readonly secret: string;
  readonly wayOut: WayOut;
  readonly timeoutMs?: number;
  readonly now?: () => number;
}): Courier {
  const { origin, pathname, search } = new URL(url);
  return {
    isRepeatable: true,
    deliver: async (letter) => {
      // One comes now and then: nothing is kept open between two.
      const connections = wayOut.open({ connections: 1 });
      const body = bodyOf(letter);
      const timestamp = String(Math.floor(now() / 1_000));
      try {
        const answer = await connections.request({
          origin,
          path: `${pathname}${search}`,
          method: 'POST',
          headers: {
            'content-type': 'application/json; charset=utf-8',
            'idempotency-key': letter.id,
            'x-lamplighter-timestamp': timestamp,
            'x-lamplighter-signature': `v1=${signatureOf(secret, timestamp, body)}`,
          },
          body,
          signal: AbortSignal.timeout(timeoutMs),
        });
        // Whatever it says beside its status, and however slowly.
        await answer.body.dump().catch(() => undefined);
        judge(answer.statusCode, answer.headers['retry-after']);
      } catch (error) {
        throw error instanceof DeliveryFault ? error : faultOf(error);
      } finally {
        await connections.destroy();
      }
    },
  };
}

/** What is posted of a letter. */
function bodyOf({ id, at, text, facts }: Letter): string {
  return JSON.stringify({ id, at: new Date(at).toISOString(), ...facts, text });
}

/** The signature of a body as it was posted at a time in seconds: HMAC-SHA256 over both, in hex. */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
}

/** Throws where it didn't take it: tried again, since whoever runs it may mend it, unless it says that it is gone. */
function judge(status: number, retryAfter: string | string[] | undefined): void {
  if (status >= 200 && status < 300) return;
  const seconds = typeof retryAfter === 'string' && /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) : 0;
  throw new DeliveryFault(`answered-${status}`, {
    outcome: 'not-done',
    dead: status === GONE,
    retryAfterMs: seconds > 0 ? Math.min(seconds, MAX_RETRY_AFTER_SECONDS) * 1_000 : undefined,
  });
}

function faultOf(error: unknown): DeliveryFault {
  if (wasNeverConnected(error)) return new DeliveryFault('not-connected', { outcome: 'not-done' });
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  const code = isLate ? 'no-answer' : connectionFaultIn(error) ? 'connection-lost' : 'failed';
  return new DeliveryFault(code, { outcome: 'unknown' });
}
