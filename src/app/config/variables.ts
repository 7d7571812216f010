import { z } from 'zod';
import { ROLES } from '../../core/policy/permissions.ts';
import { RISKS } from '../../platform/redis/fitness.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time/duration.ts';
import { accountsAt } from './accounts-file.ts';
import { AUDIT_DECLARATIONS } from './audit-variables.ts';
import { BILLING_DECLARATIONS } from './billing-variables.ts';
import { CLIENT_DECLARATIONS } from './client-certificate.ts';
import { INSTALL_DECLARATIONS } from './install-variables.ts';
import { OUTSIDE_DECLARATIONS } from './outside-variables.ts';
import { policyAt } from './policy.ts';
import { PROXY_DECLARATIONS } from './proxies.ts';
import { REDIS_DECLARATIONS } from './redis-variables.ts';
import { TRACE_DECLARATIONS } from './trace-variables.ts';
import {
  botToken,
  duration,
  headerText,
  httpUrl,
  isSafeUrl,
  instanceLink,
  secret,
  words,
} from './schemas.ts';

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
  /** What changes in its file, or in the file of accounts, counts while the bot runs; else from the next start on. Never a key or a token. */
  readonly isLive?: true;
  /** Without it, something is open that it closes: a name that is nearly this one is refused. */
  readonly isGuard?: true;
}

const LIVE = { ofAccount: true, isLive: true } as const;
const userIds = words.pipe(
  z.array(z.string().regex(/^[UW][A-Za-z0-9_]{1,63}$/, 'must be Slack user ids like U012ABCDEF')),
);
/** The service that is meant where none is named: the one that has no address of its own. */
export const DEFAULT_SERVICE = 'instance-hosting';

/** Every variable the bot reads. docs/configuration.md and `.env.example` are printed from it by test/docs.test.ts. */
export const DECLARATIONS = {
  SLACK_BOT_TOKEN: {
    about: 'Bot token (`xoxb-…`) of the one workspace that the bot works in',
    required: 'one workspace',
    secret: true,
    schema: botToken.optional(),
  },
  SLACK_SIGNING_SECRET: {
    about: 'Signing secret; not needed in Socket Mode or by a worker',
    required: 'over HTTP',
    secret: true,
    schema: secret.optional(),
  },
  SLACK_APP_TOKEN: {
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
    about:
      'Which service it is: `instance-hosting`, `digitalocean`, `ec2`, `hetzner`, `lightsail`, `ovhcloud`, `scaleway`, `upcloud`, `vultr`, or the path or the npm package of an adapter of your own',
    default: DEFAULT_SERVICE,
    schema: z
      .string()
      .regex(
        /^(?:[a-z][a-z0-9-]{0,40}|\.{0,2}\/[^\0\r\n]{1,400}|(?:@[a-z0-9-][a-z0-9._-]*\/)?[a-z0-9-][a-z0-9._-]{0,100})$/,
        'must be the name of a service like hetzner, the path of an adapter like ./my-cloud.js, or the name of its package',
      ),
  },
  HOSTING_API_URL: {
    ofAccount: true,
    about:
      "Address of the hosting API, with or without its prefix like `/api/v1`; the clouds' own by default",
    required: 'default service',
    schema: httpUrl.optional(),
  },
  HOSTING_API_TOKEN: {
    ofAccount: true,
    about: 'API key of the hosting service; left out with `HOSTING_ACCOUNTS`',
    required: 'always',
    secret: true,
    schema: headerText,
  },
  HOSTING_LOGIN_URL: {
    ofAccount: true,
    about:
      'Address at which the key is exchanged for a token, where the service wants that; its own by default',
    schema: httpUrl.optional(),
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
  ...BILLING_DECLARATIONS,
  ...OUTSIDE_DECLARATIONS,
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
  LAMPLIGHTER_AGENTS: {
    about:
      'Whether agents may ask at `/mcp`, in the name of people and with their rights: `yes` or `no`. They read and propose, and change nothing',
    default: 'no',
    schema: z.enum(['yes', 'no']),
  },
  LAMPLIGHTER_PROTECTED: {
    ...LIVE,
    isGuard: true,
    about:
      "Instances that can't be deleted through the bot and ask before a stop or restart: names like `prod-*`, ids, or `label:env=prod`",
    schema: words.default([]),
  },
  LAMPLIGHTER_APPROVE: {
    ...LIVE,
    isGuard: true,
    about:
      'Instances that change only once a second person approves: names like `prod-*`, ids, or `label:env=prod`',
    schema: words.default([]),
  },
  LAMPLIGHTER_POLICY: {
    ...LIVE,
    isFile: true,
    isGuard: true,
    about:
      'Path of a policy file in YAML; what it says wins over the variables and over Slack. It also has the holidays that schedules leave out',
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
  ...TRACE_DECLARATIONS,
  HEARTBEAT_URL: {
    about: 'Address of a monitor outside, which is called each minute in which the work was really done',
    secret: true,
    schema: z
      .string()
      .refine(isSafeUrl, 'must be an https URL without a user and a password; http only for this machine')
      .optional(),
  },
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
