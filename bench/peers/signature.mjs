// Slack's signature, checked once: for peers that don't do it themselves.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { env } from './env.mjs';

const OLDEST_SECONDS = 300;

/** Whether the bytes of a body are signed and not too old. */
export function isSigned(headers, body) {
  const timestamp = headers['x-slack-request-timestamp'] ?? '';
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= OLDEST_SECONDS)) return false;
  const hash = createHmac('sha256', env.secret).update(`v0:${timestamp}:`).update(body).digest('hex');
  const wanted = Buffer.from(`v0=${hash}`);
  const given = Buffer.from(headers['x-slack-signature'] ?? '');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
