import { createHmac } from 'node:crypto';

/** Slack's v0 signature over the raw body, at a time in seconds. */
function signature(secret: string, atSeconds: number, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${atSeconds}:${body}`).digest('hex')}`;
}

/** The headers that make a request Slack's own. */
export function signedHeaders(secret: string, atSeconds: number, body: string): Record<string, string> {
  return {
    'x-slack-request-timestamp': String(atSeconds),
    'x-slack-signature': signature(secret, atSeconds, body),
  };
}
