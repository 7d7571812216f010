import { z } from 'zod';
import { parseUrl } from '../../platform/http/parse-url.ts';
import { isDecodable } from './credentials.ts';
import { isSafeUrl, secret, words } from './schemas.ts';

const ADDRESS = /^[^\s@<>",;:\\]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;
const address = z.string().regex(ADDRESS, 'must be an address like bot@example.com');

/** Where alerts and digests go beside Slack. */
export const OUTSIDE_DECLARATIONS = {
  BILLING_WEBHOOK_URL: {
    ofAccount: true,
    about: 'Address that gets alerts and digests too, as JSON by POST; with `BILLING_WEBHOOK_SECRET`',
    secret: true,
    schema: z
      .string()
      .refine(isSafeUrl, 'must be an https URL without a user and a password; http only for this machine')
      .optional(),
  },
  BILLING_WEBHOOK_SECRET: {
    ofAccount: true,
    about: 'Any long random text, with which what goes there is signed',
    secret: true,
    schema: secret.min(16, 'is too short: use at least 16 characters').optional(),
  },
  BILLING_MAIL_TO: {
    ofAccount: true,
    about:
      'Mail addresses that get alerts and digests too, separated by commas; with `BILLING_MAIL_FROM` and `SMTP_URL`',
    schema: words
      .pipe(z.array(z.string().regex(ADDRESS, 'must be addresses like money@example.com')))
      .default([]),
  },
  BILLING_MAIL_FROM: {
    ofAccount: true,
    about: 'Address that they come from',
    schema: address.optional(),
  },
  SMTP_URL: {
    about:
      'Mail server, like `smtps://user:password@mail.example.com`; with `smtp://` it must offer STARTTLS, unless it is on this machine',
    secret: true,
    schema: z
      .string()
      .refine(
        isMailServer,
        'must be an smtps or smtp URL with a host, whose user and password have %25 for a %',
      )
      .optional(),
  },
} as const;

function isMailServer(text: string): boolean {
  const url = parseUrl(text);
  return (
    isDecodable(text) && (url?.protocol === 'smtps:' || url?.protocol === 'smtp:') && url.hostname !== ''
  );
}

/** Where the money is told of beside Slack. */
interface OutsideConfig {
  readonly webhook: { readonly url: string; readonly secret: string } | undefined;
  readonly mail: { readonly url: string; readonly from: string; readonly to: readonly string[] } | undefined;
}

export function outsideOf(env: {
  readonly BILLING_WEBHOOK_URL?: string | undefined;
  readonly BILLING_WEBHOOK_SECRET?: string | undefined;
  readonly BILLING_MAIL_TO: readonly string[];
  readonly BILLING_MAIL_FROM?: string | undefined;
  readonly SMTP_URL?: string | undefined;
}): OutsideConfig {
  const { BILLING_WEBHOOK_URL: url, BILLING_WEBHOOK_SECRET: signing } = env;
  const { BILLING_MAIL_TO: to, BILLING_MAIL_FROM: from, SMTP_URL: server } = env;
  return {
    webhook: url === undefined || signing === undefined ? undefined : { url, secret: signing },
    mail:
      to.length === 0 || from === undefined || server === undefined ? undefined : { url: server, from, to },
  };
}

/** What must never stand in the log: the address of a webhook lets in whoever knows it, and the mail server's has a password. */
export function secretsOfOutside(env: {
  readonly BILLING_WEBHOOK_URL?: string | undefined;
  readonly BILLING_WEBHOOK_SECRET?: string | undefined;
  readonly SMTP_URL?: string | undefined;
}): readonly (string | undefined)[] {
  const password = env.SMTP_URL === undefined ? undefined : parseUrl(env.SMTP_URL)?.password;
  return [
    env.BILLING_WEBHOOK_URL,
    env.BILLING_WEBHOOK_SECRET,
    env.SMTP_URL,
    password,
    password && decodeURIComponent(password),
  ];
}

const TOGETHER = [
  ['BILLING_WEBHOOK_URL', 'BILLING_WEBHOOK_SECRET'],
  ['BILLING_WEBHOOK_SECRET', 'BILLING_WEBHOOK_URL'],
  ['BILLING_MAIL_TO', 'BILLING_MAIL_FROM'],
  ['BILLING_MAIL_TO', 'SMTP_URL'],
  ['BILLING_MAIL_FROM', 'BILLING_MAIL_TO'],
] as const;

/** What is wrong with them beside each other. */
export function faultsOfOutside(values: Readonly<Record<string, string | undefined>>): readonly string[] {
  return TOGETHER.filter(([one, other]) => values[one] !== undefined && values[other] === undefined).map(
    ([one, other]) => `${other} is missing, and ${one} needs it`,
  );
}
