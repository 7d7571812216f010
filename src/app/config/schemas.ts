import { z } from 'zod';
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

/** One that lives for twelve hours, or what renews it. */
const ENDS = /^xoxe[.-]/;
export const botToken = secret.refine(
  (text) => !ENDS.test(text),
  "ends after 12 hours (xoxe), and I can't renew it: use an app without token rotation, or install me over SLACK_TEAMS, which renews tokens",
);
