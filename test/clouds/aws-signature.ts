import { createHash, createHmac } from 'node:crypto';
import type { Got } from './outside/small-service.ts';

export const KEY = 'AKIDOFOURS0000000000:a-secret-access-key-of-forty-characters0';

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Whether a request is signed with the key for this service, and all of `needed` with it: made anew from the documentation of Signature Version 4. */
export function isSignedFor(
  service: string,
  needed: readonly string[],
  { method, url, headers, text: body }: Got,
): boolean {
  const [, credential = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const [id, date = '', region = '', named = '', end = ''] = credential.split('/');
  const [ownId, secret] = KEY.split(':');
  const signed = names.split(';');
  const isWhole = ['host', 'x-amz-date', ...needed].every((name) => signed.includes(name));
  if (id !== ownId || named !== service || !isWhole) return false;
  const canonical = [
    method,
    `${url.pathname}${url.search}`,
    '',
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    sha256(body),
  ].join('\n');
  const at = String(headers['x-amz-date']);
  const text = ['AWS4-HMAC-SHA256', at, [date, region, service, end].join('/'), sha256(canonical)].join('\n');
  const key = [date, region, service, end].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, text).toString('hex') === signature && Math.abs(Date.now() - timeOf(at)) < 300_000;
}

/** 20261128T120000Z as Unix ms. */
function timeOf(at: string): number {
  return Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}
