import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ROLES } from '../../core/policy/permissions.ts';
import { type Risk, RISKS } from '../../platform/redis/fitness.ts';
import { completeThresholds, parseThreshold } from '../../core/money/threshold.ts';
import { parseUrl } from '../../platform/http/parse-url.ts';
import { VARIABLES } from './variables.ts';

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const headerText = z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');
const secret = headerText.min(8, 'is too short to be real');
const words = z.string().transform((text) => text.split(/[\s,]+/).filter((word) => word !== ''));
const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
/** `90s`, `2m` or `1h` in ms. */
const duration = z
  .string()
  .regex(/^\d{1,6}[smh]$/, 'must be a duration like 90s, 2m or 1h')
  .transform((text) => Number(text.slice(0, -1)) * (UNITS_MS[text.slice(-1)] ?? 0));
const DAY_MS = 86_400_000;
const threshold = z
  .string()
  .refine((text) => parseThreshold(text) !== undefined, 'must be like 5d or 500, and more than 0');
const THRESHOLD_FAULTS: ReadonlyMap<unknown, string> = new Map([
  ['mixed units', 'must count what BILLING_WARN counts: days in both, as in 5d and 2d, or a balance in both'],
  ['wrong order', 'must be below BILLING_WARN'],
]);
const userIds = words.pipe(
  z.array(z.string().regex(/^[UW][A-Za-z0-9_]{1,63}$/, 'must be Slack user ids like U012ABCDEF')),
);

const environment = z
  .object({
    SLACK_BOT_TOKEN: secret,
    SLACK_SIGNING_SECRET: secret.optional(),
    SLACK_APP_TOKEN: secret.optional(),
    SLACK_API_URL: httpUrl,
    SLACK_COMMAND_PREFIX: z
      .string()
      .regex(/^[a-z0-9_-]{0,20}$/, 'may hold up to 20 of a-z, 0-9, _ and -')
      .default(''),
    HOSTING_API_URL: httpUrl,
    HOSTING_API_TOKEN: headerText,
    HOSTING_API_AUTH_HEADER: z.string().regex(/^[A-Za-z0-9-]+$/, 'must be a header name'),
    HOSTING_API_AUTH_SCHEME: z.string().regex(/^[A-Za-z0-9_-]*$/, 'must be one word'),
    BILLING_UNIT: z.string().regex(/^[\p{L}\p{N}$€£¥. -]{1,20}$/u, 'must be a short word like credits'),
    BILLING_CHECK_EVERY: duration.pipe(
      z.number().min(1_000, 'must be at least 1s').max(DAY_MS, 'must be at most 24h'),
    ),
    BILLING_BLIND_AFTER: duration.pipe(
      z.number().min(1_000, 'must be at least 1s').max(DAY_MS, 'must be at most 24h'),
    ),
    BILLING_WARN: threshold.optional(),
    BILLING_CRITICAL: threshold.optional(),
    BILLING_CHANNELS: words
      .pipe(
        z.array(z.string().regex(/^[CG][A-Za-z0-9_]{1,63}$/, 'must be Slack channel ids like C012ABCDEF')),
      )
      .default([]),
    BILLING_ESCALATE_TO: userIds.default([]),
    REDIS_URL: z
      .string()
      .regex(/^rediss?:\/\/|^\//, 'must be a redis:// or rediss:// URL or a socket path')
      .refine((url) => url.startsWith('/') || isDecodable(parseUrl(url)?.password), 'must be a URL'),
    HOST: z.string().min(1),
    PORT: z
      .string()
      .regex(/^\d{1,5}$/, 'must be a number from 0 to 65535')
      .transform(Number)
      .pipe(z.number().max(65_535, 'must be a number from 0 to 65535')),
    LAMPLIGHTER_ADMINS: userIds.default([]),
    LAMPLIGHTER_EVERYONE: z.enum([...ROLES, 'none']),
    LAMPLIGHTER_ROLE: z.enum(['all', 'web', 'worker']),
    LAMPLIGHTER_PROTECTED: words.default([]),
    LAMPLIGHTER_DELETE_GRACE: duration.pipe(
      z.number().min(10_000, 'must be at least 10s').max(3_600_000, 'must be at most 1h'),
    ),
    LAMPLIGHTER_ALLOW: words.pipe(z.array(z.enum(RISKS, `must be some of ${RISKS.join(', ')}`))).default([]),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  })
  .superRefine((env, context) => {
    const overHttp = env.SLACK_APP_TOKEN === undefined && env.LAMPLIGHTER_ROLE !== 'worker';
    if (overHttp && env.SLACK_SIGNING_SECRET === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['SLACK_SIGNING_SECRET'],
        message: 'is needed unless SLACK_APP_TOKEN turns Socket Mode on',
      });
    }
    const [warn, critical] = [env.BILLING_WARN, env.BILLING_CRITICAL].map((text) =>
      parseThreshold(text ?? ''),
    );
    const doubt = warn && critical && THRESHOLD_FAULTS.get(completeThresholds({ warn, critical }));
    if (doubt !== undefined) context.addIssue({ code: 'custom', path: ['BILLING_CRITICAL'], message: doubt });
  });

export type Config = Readonly<ReturnType<typeof toConfig>>;

/** Whether a password was percent-encoded as URLs want it. */
function isDecodable(password: string | undefined): boolean {
  try {
    return password !== undefined && decodeURIComponent(password) !== undefined;
  } catch {
    return false;
  }
}

/** The environment can't be used. Names each variable and what is wrong, never a value. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(`configuration: ${faults.join('; ')}`);
    this.name = 'ConfigError';
  }
}

/** What a variable is set to, without white space around it. Empty is unset, because Compose and CI write empty ones. */
export function readVariable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  return env[name]?.trim() || undefined;
}

/**
 * Reads the environment once, and files named by `…_FILE` for secrets.
 * Throws ConfigError, which names each faulty variable and never its value.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const variable of VARIABLES) {
    const value = readVariable(env, variable.name);
    const file = variable.secret && readVariable(env, `${variable.name}_FILE`);
    if (value !== undefined) values[variable.name] = value;
    else if (variable.isEmptyMeant && env[variable.name] !== undefined) values[variable.name] = '';
    else if (file) {
      try {
        values[variable.name] = readFileSync(file, 'utf8').trim();
      } catch {
        faults.push(`${variable.name}_FILE can't be read`);
      }
    } else if (variable.default !== undefined) values[variable.name] = variable.default;
  }
  const parsed = environment.safeParse(values);
  if (!parsed.success) faults.push(...parsed.error.issues.map((issue) => faultOf(issue, values)));
  if (!parsed.success || faults.length > 0) throw new ConfigError([...new Set(faults)]);
  return Object.freeze(toConfig(parsed.data));
}

function faultOf(issue: z.core.$ZodIssue, values: Readonly<Record<string, string>>): string {
  const name = String(issue.path[0] ?? 'environment');
  if (issue.code !== 'custom' && values[name] === undefined) return `${name} is missing`;
  if (issue.code === 'invalid_value') return `${name} must be one of ${issue.values.map(String).join(', ')}`;
  return `${name} ${issue.code === 'custom' || /^(must|may|is) /.test(issue.message) ? issue.message : 'is not valid'}`;
}

function toConfig(env: z.output<typeof environment>): {
  slack: {
    botToken: string;
    signingSecret: string | undefined;
    appToken: string | undefined;
    apiUrl: string;
    commandPrefix: string;
  };
  hosting: { url: string; token: string; authHeader: string; authScheme: string };
  billingUnit: string;
  billing: { checkEveryMs: number; blindAfterMs: number };
  alerts: {
    warn: string | undefined;
    critical: string | undefined;
    channels: readonly string[];
    escalateTo: readonly string[];
  };
  redisUrl: string;
  host: string;
  port: number;
  admins: readonly string[];
  everyone: (typeof ROLES)[number] | 'none';
  role: 'all' | 'web' | 'worker';
  protectedInstances: readonly string[];
  deleteGraceMs: number;
  allowed: readonly Risk[];
  logLevel: string;
  secrets: readonly string[];
} {
  const apiUrl = env.SLACK_API_URL.endsWith('/') ? env.SLACK_API_URL : `${env.SLACK_API_URL}/`;
  const redisPassword = parseUrl(env.REDIS_URL)?.password ?? '';
  const secrets = [
    env.SLACK_BOT_TOKEN,
    env.SLACK_SIGNING_SECRET,
    env.SLACK_APP_TOKEN,
    env.HOSTING_API_TOKEN,
    redisPassword,
    decodeURIComponent(redisPassword),
  ];
  return {
    slack: {
      botToken: env.SLACK_BOT_TOKEN,
      signingSecret: env.SLACK_SIGNING_SECRET,
      appToken: env.SLACK_APP_TOKEN,
      apiUrl,
      commandPrefix: env.SLACK_COMMAND_PREFIX,
    },
    hosting: {
      url: env.HOSTING_API_URL,
      token: env.HOSTING_API_TOKEN,
      authHeader: env.HOSTING_API_AUTH_HEADER,
      authScheme: env.HOSTING_API_AUTH_SCHEME,
    },
    billingUnit: env.BILLING_UNIT,
    billing: { checkEveryMs: env.BILLING_CHECK_EVERY, blindAfterMs: env.BILLING_BLIND_AFTER },
    alerts: {
      warn: env.BILLING_WARN,
      critical: env.BILLING_CRITICAL,
      channels: env.BILLING_CHANNELS,
      escalateTo: env.BILLING_ESCALATE_TO,
    },
    redisUrl: env.REDIS_URL,
    host: env.HOST,
    port: env.PORT,
    admins: env.LAMPLIGHTER_ADMINS,
    everyone: env.LAMPLIGHTER_EVERYONE,
    role: env.LAMPLIGHTER_ROLE,
    protectedInstances: env.LAMPLIGHTER_PROTECTED,
    deleteGraceMs: env.LAMPLIGHTER_DELETE_GRACE,
    allowed: env.LAMPLIGHTER_ALLOW,
    logLevel: env.LOG_LEVEL,
    secrets: [...new Set(secrets)].filter((value): value is string => value !== undefined && value !== ''),
  };
}
