import { z } from 'zod';
import { ID_PLACE } from '../../core/links.ts';
import { parseUrl } from '../../platform/http/parse-url.ts';
import { parseDuration } from '../../platform/time/duration.ts';
import { unquoted } from './values.ts';

export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
export const headerText = z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');
export const secret = headerText.min(8, 'is too short to be real');
/** A list, each of whose words may stand in quotation marks. */
export const words = z.string().transform((text) =>
  text
    .split(/[\s,]+/)
    .map(unquoted)
    .filter((word) => word !== ''),
);

const HERE = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether what is sent there can't be read on the way, and no password stands in it. */
export function isSafeUrl(text: string): boolean {
  const url = parseUrl(text);
  if (!url || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && HERE.test(url.hostname));
}

const CHANNEL_ID = /^[CG][A-Za-z0-9_]{1,63}$/;
export const channelId = z.string().regex(CHANNEL_ID, 'must be a Slack channel id like C012ABCDEF');
export const channelIds = words.pipe(
  z.array(z.string().regex(CHANNEL_ID, 'must be Slack channel ids like C012ABCDEF')),
);

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
      if (ms === undefined)
        context.addIssue({
          code: 'custom',
          message:
            units.length === 1
              ? 'must be a number of days like 400d'
              : 'must be a duration like 90s, 2m or 1h',
        });
      return ms ?? z.NEVER;
    })
    .pipe(z.number().min(leastMs, `must be at least ${least}`).max(mostMs, `must be at most ${most}`));

/** One that lives for twelve hours, or what renews it. */
const ENDS = /^xoxe[.-]/;
export const botToken = secret.refine(
  (text) => !ENDS.test(text),
  "ends after 12 hours (xoxe), and I can't renew it: use an app without token rotation, or install me over SLACK_TEAMS, which renews tokens",
);

const MAX_LINK = 2_000;

/** What is wrong with an address that buttons open; undefined for nothing. */
function faultOfLink(text: string): string | undefined {
  const url = parseUrl(text);
  if (url?.protocol !== 'https:' || /[\s<>|"`\\^]/.test(text)) return 'must be an https URL';
  if (url.username !== '' || url.password !== '') return 'must have no user and no password in it';
  return text.length > MAX_LINK ? `must have at most ${MAX_LINK} characters` : undefined;
}

/** The address of a page that a button opens. */
export const link = z.string().superRefine((text, context) => {
  const message = faultOfLink(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/** The address of an instance's page, with the place of its id behind the host. */
export const instanceLink = z.string().superRefine((text, context) => {
  const message = faultOfInstanceLink(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

function faultOfInstanceLink(text: string): string | undefined {
  const example = `like https://console.example.com/servers/${ID_PLACE}`;
  const rest = text.replaceAll(ID_PLACE, '');
  if (/[{}]/.test(rest)) return `must have no { or } but in ${ID_PLACE}, ${example}`;
  // Which page is opened is the id's to say, and never at whose.
  const isAfterHost =
    parseUrl(text.replaceAll(ID_PLACE, '1'))?.host === parseUrl(text.replaceAll(ID_PLACE, '2'))?.host;
  const fault = faultOfLink(text.replaceAll(ID_PLACE, '1'));
  if (fault !== undefined) return `${fault}, ${example}`;
  return rest === text || !isAfterHost
    ? `must have ${ID_PLACE} after the host, where the id of an instance goes, ${example}`
    : undefined;
}
