import { createHmac, timingSafeEqual } from 'node:crypto';

const OLDEST_SECONDS = 300;

/** What a signature says: `off time` is Slack's own, for another time than ours. */
export type Signed = 'signed' | 'unsigned' | 'wrong' | 'off time';

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
