import { z } from 'zod';
import { parseUrl } from '../../platform/http/parse-url.ts';
import { parseDuration } from '../../platform/time/duration.ts';
import { isSafeUrl } from './addresses.ts';
import { unquoted } from './values.ts';

/** A text in which `faultOf` finds nothing wrong. */
export const without = (faultOf: (text: string) => string | undefined): z.ZodString =>
  z.string().superRefine((text, context) => {
    const message = faultOf(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
/** Whether none of these parts stands in an address. */
const isWithout =
  (...parts: readonly ('username' | 'password' | 'search' | 'hash')[]) =>
  (text: string): boolean => {
    const url = parseUrl(text);
    return url === undefined || parts.every((part) => url[part] === '');
  };
/** An address below which paths are called: what stands behind those, and a login, would be left out without a word. */
export const baseUrl = httpUrl.refine(
  isWithout('username', 'password', 'search', 'hash'),
  'must have no user, no password and nothing behind a ? or # in it',
);
/** One that is called as it stands. */
export const wholeUrl = httpUrl.refine(
  isWithout('username', 'password', 'hash'),
  'must have no user, no password and nothing behind a # in it',
);
export const safeUrl = z
  .string()
  .refine(isSafeUrl, 'must be an https URL without a user and a password; http only for this machine');
export const headerText = z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');
export const secret = headerText.min(8, 'is too short to be real');
export const yesNo = z.enum(['yes', 'no']).transform((word) => word === 'yes');
/** A list, each of whose words may stand in quotation marks. */
export const words = z.string().transform((text) =>
  text
    .split(/[\s,]+/)
    .map(unquoted)
    .filter((word) => word !== ''),
);
/** A list of words that all match. */
export const wordsLike = (pattern: RegExp, message: string): z.ZodType<string[], string> =>
  words.pipe(z.array(z.string().regex(pattern, message)));

const CHANNEL_ID = /^[CG][A-Za-z0-9_]{1,63}$/;
export const channelId = z.string().regex(CHANNEL_ID, 'must be a Slack channel id like C012ABCDEF');
export const channelIds = wordsLike(CHANNEL_ID, 'must be Slack channel ids like C012ABCDEF');

/** `90s`, `2m` or `1h` in ms, between the two, which `least` and `most` name. */
export const duration = (
  leastMs: number,
  least: string,
  mostMs: number,
  most: string,
  units: readonly ('s' | 'm' | 'h' | 'd')[] = ['s', 'm', 'h'],
): z.ZodType<number, string> =>
  z
    .string()
    .transform((text, context) => {
      const ms = parseDuration(text, units);
      const example =
        units.length === 1 ? 'must be a number of days like 400d' : 'must be a duration like 90s, 2m or 1h';
      if (ms === undefined) context.addIssue({ code: 'custom', message: example });
      return ms ?? z.NEVER;
    })
    .pipe(z.number().min(leastMs, `must be at least ${least}`).max(mostMs, `must be at most ${most}`));

/** A text in PEM that `read` takes. */
export const pem = (read: (text: string) => unknown, message: string): z.ZodString =>
  z.string().refine((text) => {
    try {
      read(text);
      return true;
    } catch {
      return false;
    }
  }, message);

/** What of an address must stand nowhere: its password, as written, as read, and as it is sent with its user. Pure. */
export function passwordIn(text: string): readonly string[] {
  const url = parseUrl(text);
  if (!url || url.password === '') return [];
  const [user, password] = [url.username, url.password].map(decodeURIComponent);
  return [url.password, password ?? '', Buffer.from(`${user}:${password}`).toString('base64')];
}

/** `name=value,name=value`, each percent-encoded or not; undefined where one is not like `pattern`. Pure. */
export function pairsIn(text: string, pattern: RegExp): Record<string, string> | undefined {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  const pairs = parts.map((part) => pattern.exec(decoded(part.trim())));
  if (pairs.includes(null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', (pair?.[2] ?? '').trim()]));
}

/** As it stands where it is not written as in a URL. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The same as a schema. */
export const pairs = (pattern: RegExp): z.ZodType<Record<string, string>, string> =>
  z.string().transform((text, context) => {
    const read = pairsIn(text, pattern);
    if (!read) context.addIssue({ code: 'custom', message: 'must be like name=value,name=value' });
    return read ?? z.NEVER;
  });
