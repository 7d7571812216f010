import { z } from 'zod';
import { parsePriced } from '../../core/money/priced.ts';
import { parseThreshold } from '../../core/money/threshold.ts';
import { ROLES } from '../../core/policy/permissions.ts';
import { RISKS } from '../../platform/redis/fitness.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time/duration.ts';
import { accountsAt } from './accounts-file.ts';
import { AUDIT_DECLARATIONS } from './audit-variables.ts';
import { CLIENT_DECLARATIONS } from './client-certificate.ts';
import { INSTALL_DECLARATIONS } from './install-variables.ts';
import { policyAt } from './policy.ts';
import { PROXY_DECLARATIONS } from './proxies.ts';
import { REDIS_DECLARATIONS } from './redis-variables.ts';
import { botToken, duration, headerText, httpUrl, instanceLink, link, secret, words } from './schemas.ts';

/** One row of docs/configuration.md and of `.env.example`, and the only way a variable gets in. */
interface Variable {
  readonly about: string;
  /** What it may be, and what the bot makes of it. Sees no text where the variable is not set and has no default. */
  readonly schema: z.ZodType;
  /** When the bot doesn't start without it: never where this is left out. */
  readonly required?: 'always' | 'over HTTP' | 'one workspace' | 'default service';
  readonly default?: string;
  readonly secret?: true;
  /** Other programs read it too, and in lower case first. */
  readonly inLowerCase?: true;
  /** Set and empty says something else than not set. */
  readonly isEmptyMeant?: true;
  /** Each account of HOSTING_ACCOUNTS may have its own. */
  readonly ofAccount?: true;
  /** It is the path of a file. */
  readonly isFile?: true;
  /** What changes in its file, or in the file of accounts, counts while the bot runs; else from the next start on. */
  readonly isLive?: true;
  /** What of it counts only from the next start on all the same, as a text of its text. */
  readonly fixedPart?: (text: string) => string;
  /** Without it, something is open that it closes: a name that is nearly this one is refused. */
  readonly isGuard?: true;
}

const LIVE = { ofAccount: true, isLive: true } as const;
const threshold = z
  .string()
  .refine((text) => parseThreshold(text) !== undefined, 'must be like 5d or 500, and more than 0');
const budget = z
  .string()
  .refine((text) => parsePriced(text) !== undefined, 'must be like 200 EUR, and more than 0');
const userIds = words.pipe(
  z.array(z.string().regex(/^[UW][A-Za-z0-9_]{1,63}$/, 'must be Slack user ids like U012ABCDEF')),
);
const userOrGroupIds = words.pipe(
  z.array(
    z
      .string()
      .regex(
        /^[UWS][A-Za-z0-9_]{1,63}$/,
        'must be Slack ids of users or user groups, like U012ABCDEF or S012ABCDEF',
      ),
  ),
);
const channelIds = words.pipe(
  z.array(z.string().regex(/^[CG][A-Za-z0-9_]{1,63}$/, 'must be Slack channel ids like C012ABCDEF')),
);

/** The service that is meant where none is named: the one that has no address of its own. */
export const DEFAULT_SERVICE = 'instance-hosting';

/** Every variable the bot reads. docs/configuration.md and `.env.example` are printed from it by test/docs.test.ts. */
export const DECLARATIONS = {
  SLACK_BOT_TOKEN: {
    isLive: true,
    about: 'Bot token (`xoxb-…`) of the one workspace that the bot works in',
    required: 'one workspace',
    secret: true,
    schema: botToken.optional(),
  },
  SLACK_SIGNING_SECRET: {
    isLive: true,
    about: 'Signing secret; not needed in Socket Mode or by a worker',
    required: 'over HTTP',
    secret: true,
    schema: secret.optional(),
  },
  SLACK_APP_TOKEN: {
    isLive: true,
    about: 'App token (`xapp-…`), which turns Socket Mode on; without it, Slack calls over HTTP',
    secret: true,
    schema: secret.optional(),
  },
  ...INSTALL_DECLARATIONS,
  SLACK_API_URL: { about: 'Where the Slack Web API is', default: 'https://slack.com/api/', schema: httpUrl },
  SLACK_COMMAND_PREFIX: {
    about: 'Put before every command: `staging-` makes `/staging-instances`',
    schema: z
      .string()
      .regex(/^[a-z0-9_-]{0,20}$/, 'may hold up to 20 of a-z, 0-9, _ and -')
      .default(''),
  },
  HOSTING_SERVICE: {
    ofAccount: true,
    about: 'Which service it is: `instance-hosting`, `digitalocean`, `hetzner`, `vultr`',
    default: DEFAULT_SERVICE,
    schema: z.string().regex(/^[a-z][a-z0-9-]{0,40}$/, 'must be the name of a service like hetzner'),
  },
  HOSTING_API_URL: {
    ofAccount: true,
    about:
      "Address of the hosting API, with or without its prefix like `/api/v1`; the clouds' own by default",
    required: 'default service',
    schema: httpUrl.optional(),
  },
  HOSTING_API_TOKEN: {
    ...LIVE,
    about: 'API key of the hosting service; left out with `HOSTING_ACCOUNTS`',
    required: 'always',
    secret: true,
    schema: headerText,
  },
  HOSTING_API_AUTH_HEADER: {
    ofAccount: true,
    about: 'Header that carries the key',
    default: 'Authorization',
    schema: z.string().regex(/^[A-Za-z0-9-]+$/, 'must be a header name'),
  },
  HOSTING_API_AUTH_SCHEME: {
    ofAccount: true,
    about: 'Word before the key in that header; empty for none',
    default: 'Bearer',
    isEmptyMeant: true,
    schema: z.string().regex(/^[A-Za-z0-9_-]*$/, 'must be one word'),
  },
  ...CLIENT_DECLARATIONS,
  HOSTING_ACCOUNTS: {
    isLive: true,
    isFile: true,
    about: 'Path of a file with several accounts, in YAML or JSON, each with its service and key',
    schema: accountsAt.optional(),
  },
  INSTANCE_URL: {
    ofAccount: true,
    about:
      "Page of an instance in the hosting service's console, which buttons open, like `https://console.example.com/servers/{id}`",
    schema: instanceLink.optional(),
  },
  BILLING_UNIT: {
    ofAccount: true,
    about: 'What the service counts in, as people call it',
    default: 'credits',
    schema: z.string().regex(/^[\p{L}\p{N}$€£¥. -]{1,20}$/u, 'must be a short word like credits'),
  },
  BILLING_TOPUP_URL: {
    ofAccount: true,
    about: 'Page where credit is bought, which buttons open, like `https://console.example.com/billing`',
    schema: link.optional(),
  },
  BILLING_CHECK_EVERY: {
    ofAccount: true,
    about:
      'How often the balance or the month is read, like `30s` or `5m`; at most `24h`. It never takes more than an eighth of the calls that the service allows',
    default: '5m',
    schema: duration(1_000, '1s', DAY_MS, '24h'),
  },
  BILLING_UNKNOWN_AFTER: {
    ofAccount: true,
    about: 'How long the balance or the month may be unreadable before the bot says so; at most `24h`',
    default: '30m',
    schema: duration(1_000, '1s', DAY_MS, '24h'),
  },
  BILLING_WARN: {
    ofAccount: true,
    about:
      "When to warn: days left like `5d`, or a balance like `500`. Set here, it can't be changed in Slack; left out, it begins at `5d`",
    schema: threshold.optional(),
  },
  BILLING_CRITICAL: {
    ofAccount: true,
    about:
      'When it is critical, in the unit of `BILLING_WARN`. Left out, it is 0.4 of that and at most `2d`; set alone, the bot warns at 2.5 times it',
    schema: threshold.optional(),
  },
  BILLING_BUDGET: {
    ofAccount: true,
    about:
      "What a month may cost where it is billed in arrears, like `200 EUR`. Set here, it can't be changed in Slack",
    schema: budget.optional(),
  },
  BILLING_CHANNELS: {
    ofAccount: true,
    about: 'Ids of the channels in which everyone may see balances and costs; alerts go to the first',
    schema: channelIds.default([]),
  },
  BILLING_ESCALATE_TO: {
    ofAccount: true,
    about: 'Slack ids of the people and user groups who are notified when nobody is on a critical alert',
    schema: userOrGroupIds.default([]),
  },
  ...REDIS_DECLARATIONS,
  ...PROXY_DECLARATIONS,
  HOST: { about: 'Address to listen on', default: '127.0.0.1', schema: z.string().min(1) },
  PORT: {
    about: 'Port to listen on',
    default: '3000',
    schema: z
      .string()
      .regex(/^\d{1,5}$/, 'must be a number from 0 to 65535')
      .transform(Number)
      .pipe(z.number().max(65_535, 'must be a number from 0 to 65535')),
  },
  LAMPLIGHTER_ADMINS: {
    ...LIVE,
    about: 'Slack user ids of the admins, separated by commas; they have every right',
    schema: userIds.default([]),
  },
  LAMPLIGHTER_EVERYONE: {
    ...LIVE,
    about: `Role of every full member: ${ROLES.map((role) => `\`${role}\``).join(', ')} or \`none\``,
    default: 'none',
    schema: z.enum([...ROLES, 'none']),
  },
  LAMPLIGHTER_ROLE: {
    about: 'What this process does: `all`, `web` or `worker`',
    default: 'all',
    schema: z.enum(['all', 'web', 'worker']),
  },
  LAMPLIGHTER_PROTECTED: {
    ...LIVE,
    isGuard: true,
    about:
      "Instances that can't be deleted through the bot and ask before a stop or restart: names like `prod-*`, or ids",
    schema: words.default([]),
  },
  LAMPLIGHTER_APPROVE: {
    ...LIVE,
    isGuard: true,
    about: 'Instances that change only once a second person approves: names like `prod-*`, or ids',
    schema: words.default([]),
  },
  LAMPLIGHTER_POLICY: {
    ...LIVE,
    isFile: true,
    isGuard: true,
    about: 'Path of a policy file in YAML; what it says wins over the variables and over Slack',
    schema: policyAt.optional(),
  },
  LAMPLIGHTER_CANCEL_WINDOW: {
    ofAccount: true,
    about: 'How long a deletion can be canceled: `90s`, `2m`; at least `10s`, at most `1h`',
    default: '2m',
    schema: duration(10_000, '10s', HOUR_MS, '1h'),
  },
  LAMPLIGHTER_ALLOW: {
    about: `Risks to start with anyway, separated by commas: ${RISKS.map((risk) => `\`${risk}\``).join(', ')}`,
    schema: words.pipe(z.array(z.enum(RISKS, `must be some of ${RISKS.join(', ')}`))).default([]),
  },
  LAMPLIGHTER_TAKE_OVER: {
    about:
      'Takes over what another deployment keeps in Redis; the bot names the value when it refuses to start',
    schema: z
      .string()
      .regex(/^[A-Za-z0-9_-]{4,40}$/, 'must be a mark as the bot says it')
      .optional(),
  },
  LAMPLIGHTER_AUDIT_KEEP: {
    ofAccount: true,
    about: 'How long the audit is kept: `90d`, `400d`; at least `30d`, at most `3650d`',
    default: '400d',
    schema: duration(30 * DAY_MS, '30d', 3_650 * DAY_MS, '3650d', ['d']),
  },
  ...AUDIT_DECLARATIONS,
  LOG_LEVEL: {
    about: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    default: 'info',
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  },
} as const satisfies Readonly<Record<string, Variable>>;

/** The variables one by one, in the order in which they are declared. */
export const VARIABLES: readonly (Variable & { readonly name: string })[] = Object.entries(DECLARATIONS).map(
  ([name, variable]) => ({ name, ...variable }),
);
