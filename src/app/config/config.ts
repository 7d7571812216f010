import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { completeThresholds, parseThreshold } from '../../core/money/threshold.ts';
import type { ApprovalRule } from '../../core/policy/approval.ts';
import { parseUrl } from '../../platform/http/parse-url.ts';
import type { AccountEntry } from './accounts-file.ts';
import { faultsOfWorkspaces, installConfigOf, keysIn } from './install.ts';
import { type DECLARATIONS, DEFAULT_SERVICE, VARIABLES } from './variables.ts';

const THRESHOLD_FAULTS: ReadonlyMap<unknown, string> = new Map([
  ['mixed units', 'must count what BILLING_WARN counts: days in both, as in 5d and 2d, or a balance in both'],
  ['wrong order', 'must be below BILLING_WARN'],
]);
/** The schema that each variable is declared with, under its name. */
type Schemas = { [Name in keyof typeof DECLARATIONS]: (typeof DECLARATIONS)[Name]['schema'] };
const schemas = Object.fromEntries(VARIABLES.map(({ name, schema }) => [name, schema])) as Schemas;

const environment = z.object(schemas).superRefine((env, context) => {
  const overHttp = env.SLACK_APP_TOKEN === undefined && env.LAMPLIGHTER_ROLE !== 'worker';
  if (overHttp && env.SLACK_SIGNING_SECRET === undefined) {
    context.addIssue({
      code: 'custom',
      path: ['SLACK_SIGNING_SECRET'],
      message: 'is needed unless SLACK_APP_TOKEN turns Socket Mode on',
    });
  }
  const [warn, critical] = [env.BILLING_WARN, env.BILLING_CRITICAL].map((text) => parseThreshold(text ?? ''));
  const doubt = warn && critical && THRESHOLD_FAULTS.get(completeThresholds({ warn, critical }));
  if (doubt !== undefined) context.addIssue({ code: 'custom', path: ['BILLING_CRITICAL'], message: doubt });
});

/** Variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

export type Config = Readonly<ReturnType<typeof toConfig>>;

/** The environment can't be used. Names each variable and what is wrong, never a value. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[], cause?: unknown) {
    super(`configuration: ${faults.join('; ')}`, { cause });
    this.name = 'ConfigError';
    this.faults = faults;
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
 * Reads the environment once, and the files that it names: by `…_FILE` for secrets, and the policy.
 * Throws ConfigError, which names each faulty variable and never its value.
 */
export function loadConfig(env: Environment = process.env): Config {
  const { values, faults } = readValues(env, VARIABLES);
  // Every other service has an address of its own.
  if (values['HOSTING_SERVICE'] === DEFAULT_SERVICE && values['HOSTING_API_URL'] === undefined)
    faults.push('HOSTING_API_URL is missing');
  faults.push(...faultsOfWorkspaces(values));
  const parsed = environment.safeParse(values);
  if (!parsed.success) faults.push(...parsed.error.issues.map((issue) => faultOf(issue, values)));
  if (!parsed.success || faults.length > 0) throw new ConfigError([...new Set(faults)]);
  return Object.freeze(toConfig(parsed.data));
}

/** REDIS_URL alone, for what needs nothing else. Throws ConfigError. */
export function loadRedisUrl(env: Environment = process.env): string {
  return loadOne(env, 'REDIS_URL', schemas.REDIS_URL);
}

/** HOSTING_SERVICE alone, for what needs nothing else. Throws ConfigError. */
export function loadHostingService(env: Environment = process.env): string {
  return loadOne(env, 'HOSTING_SERVICE', schemas.HOSTING_SERVICE);
}

/** What stands in the file at HOSTING_ACCOUNTS, undefined where none is named, and the variables beside it. Throws ConfigError. */
export function loadEntries(env: Environment = process.env): {
  readonly entries: readonly AccountEntry[] | undefined;
  readonly variables: Environment;
} {
  return { entries: loadOne(env, 'HOSTING_ACCOUNTS', schemas.HOSTING_ACCOUNTS), variables: env };
}

function loadOne<T>(env: Environment, name: string, schema: z.ZodType<T>): T {
  const { values, faults } = readValues(
    env,
    VARIABLES.filter((variable) => variable.name === name),
  );
  const parsed = schema.safeParse(values[name]);
  if (parsed.error)
    faults.push(...parsed.error.issues.map((issue) => faultOf({ ...issue, path: [name] }, values)));
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  return parsed.data;
}

/** What variables are set to, from the environment, from the files it names, or by default. */
function readValues(
  env: Readonly<Record<string, string | undefined>>,
  variables: typeof VARIABLES,
): { values: Record<string, string>; faults: string[] } {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const variable of variables) {
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
  return { values, faults };
}

function faultOf(issue: z.core.$ZodIssue, values: Readonly<Record<string, string>>): string {
  const name = String(issue.path[0] ?? 'environment');
  if (issue.code !== 'custom' && values[name] === undefined) return `${name} is missing`;
  if (issue.code === 'invalid_value') return `${name} must be one of ${issue.values.map(String).join(', ')}`;
  return `${name} ${issue.code === 'custom' || /^(must|may|is) /.test(issue.message) ? issue.message : 'is not valid'}`;
}

function toConfig(env: z.output<typeof environment>) {
  const apiUrl = env.SLACK_API_URL.endsWith('/') ? env.SLACK_API_URL : `${env.SLACK_API_URL}/`;
  const policy = env.LAMPLIGHTER_POLICY;
  const approvals: readonly ApprovalRule[] = [
    ...(env.LAMPLIGHTER_APPROVE.length === 0 ? [] : [{ on: env.LAMPLIGHTER_APPROVE }]),
    ...(policy?.approvals ?? []),
  ];
  const redisPassword = parseUrl(env.REDIS_URL)?.password ?? '';
  const secrets = [
    env.SLACK_BOT_TOKEN,
    env.SLACK_CLIENT_SECRET,
    env.SLACK_STATE_SECRET,
    env.LAMPLIGHTER_TOKEN_KEYS,
    ...keysIn(env.LAMPLIGHTER_TOKEN_KEYS),
    env.SLACK_SIGNING_SECRET,
    env.SLACK_APP_TOKEN,
    env.HOSTING_API_TOKEN,
    redisPassword,
    decodeURIComponent(redisPassword),
  ];
  return {
    slack: {
      /** Empty where `install` is set: each workspace has its own then. */
      botToken: env.SLACK_BOT_TOKEN ?? '',
      /** Set where the bot can be installed in several workspaces. */
      install: installConfigOf(env),
      signingSecret: env.SLACK_SIGNING_SECRET,
      appToken: env.SLACK_APP_TOKEN,
      apiUrl,
      commandPrefix: env.SLACK_COMMAND_PREFIX,
    },
    hosting: {
      service: env.HOSTING_SERVICE,
      /** Without it, the service's own. */
      url: env.HOSTING_API_URL,
      token: env.HOSTING_API_TOKEN,
      authHeader: env.HOSTING_API_AUTH_HEADER,
      authScheme: env.HOSTING_API_AUTH_SCHEME,
    },
    billingUnit: env.BILLING_UNIT,
    alerts: {
      warn: env.BILLING_WARN,
      critical: env.BILLING_CRITICAL,
      budget: env.BILLING_BUDGET,
      channels: env.BILLING_CHANNELS,
      escalateTo: env.BILLING_ESCALATE_TO,
    },
    redisUrl: env.REDIS_URL,
    host: env.HOST,
    port: env.PORT,
    admins: env.LAMPLIGHTER_ADMINS,
    everyone: policy?.everyone ?? env.LAMPLIGHTER_EVERYONE,
    role: env.LAMPLIGHTER_ROLE,
    protectedInstances: policy?.protectedInstances ?? env.LAMPLIGHTER_PROTECTED,
    /** Which changes need a second person. */
    approvals,
    /** What the policy file fixes, and the file's name. */
    policy,
    /** What of the shipped waits is set otherwise. */
    timings: {
      deleteGraceMs: env.LAMPLIGHTER_DELETE_GRACE,
      billingCheckEveryMs: env.BILLING_CHECK_EVERY,
      blindAfterMs: env.BILLING_BLIND_AFTER,
    },
    auditKeepMs: env.LAMPLIGHTER_AUDIT_KEEP,
    allowed: env.LAMPLIGHTER_ALLOW,
    logLevel: env.LOG_LEVEL,
    secrets: [...new Set(secrets)].filter((value): value is string => value !== undefined && value !== ''),
  };
}
