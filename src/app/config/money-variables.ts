import { z } from 'zod';
import { parsePriced, parseThreshold } from '../../core/money/typed.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { faultOfLink, faultOfMailServer } from './addresses.ts';
import { channelIds, duration, passwordIn, safeUrl, secret, without, wordsLike, yesNo } from './schemas.ts';
import type { VariableTree } from './variable.ts';

const ADDRESS = /^[^\s@<>",;:\\]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;
const threshold = z
  .string()
  .refine((text) => parseThreshold(text) !== undefined, 'must be like 5d or 500, and more than 0')
  .optional();

/** What is known of the money, when it is told of and where. */
export const MONEY = {
  billingCurrency: {
    name: 'BILLING_CURRENCY',
    ofAccount: true,
    about:
      'What the account is billed in, as a code like `USD`, where its service bills some in one currency and others in another; left out, what the service mostly bills in. Set it from the start: what is kept of days before has no currency of its own',
    schema: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be a code like USD')
      .optional(),
  },
  links: {
    topUpUrl: {
      name: 'BILLING_TOPUP_URL',
      ofAccount: true,
      about: 'Page where credit is bought, which buttons open, like `https://console.example.com/billing`',
      schema: without(faultOfLink).optional(),
    },
  },
  /** The hosting service tops the balance up by itself. */
  isToppedUp: {
    name: 'BILLING_AUTO_TOPUP',
    ofAccount: true,
    about:
      'Whether the hosting service tops the balance up by itself: `yes` or `no`. With `yes`, alerts come only once the balance is critical, because no top-up has come',
    default: 'no',
    schema: yesNo,
  },
  timings: {
    billingCheckEveryMs: {
      name: 'BILLING_CHECK_EVERY',
      ofAccount: true,
      about:
        'How often the balance or the month is read, like `30s` or `5m`; at most `24h`. It never takes more than an eighth of the calls that the service allows',
      default: '5m',
      schema: duration(1_000, '1s', DAY_MS, '24h'),
    },
  },
  alerts: {
    warn: {
      name: 'BILLING_WARN',
      ofAccount: true,
      about:
        "When to warn: days left like `5d`, or a balance like `500`. Set here, it can't be changed in Slack; left out, it begins at `5d`",
      schema: threshold,
    },
    critical: {
      name: 'BILLING_CRITICAL',
      ofAccount: true,
      about:
        'When it is critical, in the unit of `BILLING_WARN`. Left out, it is 0.4 of that and at most `2d`; set alone, the bot warns at 2.5 times it',
      schema: threshold,
    },
    budget: {
      name: 'BILLING_BUDGET',
      ofAccount: true,
      about:
        "What a month may cost where it is billed in arrears, like `200 EUR`. Set here, it can't be changed in Slack",
      schema: z
        .string()
        .refine((text) => parsePriced(text) !== undefined, 'must be like 200 EUR, and more than 0')
        .optional(),
    },
    channels: {
      name: 'BILLING_CHANNELS',
      ofAccount: true,
      about: 'Ids of the channels in which everyone may see balances and costs; alerts go to the first',
      schema: channelIds.default([]),
    },
    escalateTo: {
      name: 'BILLING_ESCALATE_TO',
      ofAccount: true,
      about: 'Slack ids of the people and user groups who are notified when nobody is on a critical alert',
      schema: wordsLike(
        /^[UWS][A-Za-z0-9_]{1,63}$/,
        'must be Slack ids of users or user groups, like U012ABCDEF or S012ABCDEF',
      ).default([]),
    },
  },
  /** Where alerts and digests go beside Slack. */
  outside: {
    webhook: {
      url: {
        name: 'BILLING_WEBHOOK_URL',
        ofAccount: true,
        about: 'Address that gets alerts and digests too, as JSON by POST; with `BILLING_WEBHOOK_SECRET`',
        secret: true,
        needs: ['BILLING_WEBHOOK_SECRET'],
        schema: safeUrl.optional(),
      },
      secret: {
        name: 'BILLING_WEBHOOK_SECRET',
        ofAccount: true,
        about: 'Any long random text, with which what goes there is signed',
        secret: true,
        needs: ['BILLING_WEBHOOK_URL'],
        schema: secret.min(16, 'is too short: use at least 16 characters').optional(),
      },
    },
    mail: {
      to: {
        name: 'BILLING_MAIL_TO',
        ofAccount: true,
        about:
          'Mail addresses that get alerts and digests too, separated by commas; with `BILLING_MAIL_FROM` and `SMTP_URL`',
        needs: ['BILLING_MAIL_FROM', 'SMTP_URL'],
        schema: wordsLike(ADDRESS, 'must be addresses like money@example.com').default([]),
      },
      from: {
        name: 'BILLING_MAIL_FROM',
        ofAccount: true,
        about: 'Address that they come from',
        needs: ['BILLING_MAIL_TO'],
        schema: z.string().regex(ADDRESS, 'must be an address like bot@example.com').optional(),
      },
      url: {
        name: 'SMTP_URL',
        about:
          'Mail server, like `smtps://user:password@mail.example.com`; with `smtp://` it must offer STARTTLS, unless it is on this machine',
        secret: true,
        hidden: (text) => [text, ...passwordIn(text)],
        schema: without(faultOfMailServer).optional(),
      },
    },
  },
} as const satisfies VariableTree;
