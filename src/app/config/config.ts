import { isSafeUrl } from './schemas.ts';
import { z } from 'zod';
import type { ApprovalRule } from '../../core/policy/approval.ts';
import { passwordsIn, type RedisAt } from '../../platform/redis/address.ts';
import type { NamedAccountsFile } from './accounts-file.ts';
import { auditOf } from './audit-variables.ts';
import { clientCertificateOf } from './client-certificate.ts';
import { faultsOfEscapes } from './credentials.ts';
import { doubtsOfAccount, doubtsOfBot, faultsOfUnknown } from './doubts.ts';
import { installConfigOf, keysIn } from './install.ts';
import { outsideOf, secretsOfOutside } from './outside-variables.ts';
import type { NamedPolicy } from './policy.ts';
import { proxiesOf, secretsOfProxies } from './proxies.ts';
import { faultsTogether } from './together.ts';
import { secretsOfTraces, traceConfigOf } from './trace-variables.ts';
import { type Environment, readValues } from './values.ts';
import { type DECLARATIONS, VARIABLES } from './variables.ts';

/** The schema that each variable is declared with, under its name. */
type Schemas = { [Name in keyof typeof DECLARATIONS]: (typeof DECLARATIONS)[Name]['schema'] };
const schemas = Object.fromEntries(VARIABLES.map(({ name, schema }) => [name, schema])) as Schemas;

const environment = z.object(schemas);

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

/** The environment of this process: nothing but the configuration reads it. */
export function environmentNow(): Environment {
  return process.env;
}

/**
 * Reads the environment once, and the files that it names: by `…_FILE` for secrets, and the policy.
 * Throws ConfigError, which names each faulty variable and never its value.
 */
export function loadConfig(env: Environment = process.env): Config {
  const { values, faults } = readValues(env, VARIABLES);
  faults.push(...faultsTogether(values));
  const parsed = environment.safeParse(values);
  if (!parsed.success) faults.push(...parsed.error.issues.map((issue) => faultOf(issue, values)));
  faults.push(...faultsOfEscapes(values, faults), ...faultsOfUnknown(env));
  if (!parsed.success || faults.length > 0) throw new ConfigError([...new Set(faults)]);
  return Object.freeze(toConfig(parsed.data, values, env));
}

/** Where Redis is, for what needs nothing else. Throws ConfigError. */
export function loadRedisAt(env: Environment = process.env): Pick<RedisAt, 'url' | 'certificate'> {
  return {
    url: loadOne(env, 'REDIS_URL', schemas.REDIS_URL),
    certificate: clientCertificateOf(
      {
        REDIS_CLIENT_CERT: loadOne(env, 'REDIS_CLIENT_CERT', schemas.REDIS_CLIENT_CERT),
        REDIS_CLIENT_KEY: loadOne(env, 'REDIS_CLIENT_KEY', schemas.REDIS_CLIENT_KEY),
      },
      'REDIS_CLIENT',
    ),
  };
}

/** What REDIS_PREFIX puts before every key; empty for nothing. Throws ConfigError. */
export function loadRedisPrefix(env: Environment = process.env): string {
  return prefixOf(loadOne(env, 'REDIS_PREFIX', schemas.REDIS_PREFIX));
}

/** HOSTING_SERVICE alone, for what needs nothing else. Throws ConfigError. */
export function loadHostingService(env: Environment = process.env): string {
  return loadOne(env, 'HOSTING_SERVICE', schemas.HOSTING_SERVICE);
}

/** What the file at LAMPLIGHTER_POLICY fixes; undefined where none is named. Throws ConfigError. */
export function loadPolicy(env: Environment = process.env): NamedPolicy | undefined {
  return loadOne(env, 'LAMPLIGHTER_POLICY', schemas.LAMPLIGHTER_POLICY);
}

/** What stands in the file at HOSTING_ACCOUNTS; undefined where none is named. Throws ConfigError where it can't be read. */
export function loadAccountsFile(env: Environment = process.env): NamedAccountsFile | undefined {
  return loadOne(env, 'HOSTING_ACCOUNTS', schemas.HOSTING_ACCOUNTS);
}

const agentSchema = z.object({
  LAMPLIGHTER_URL: z.string().refine(isSafeUrl),
  LAMPLIGHTER_TOKEN: z.string().min(1),
});

/** Where an agent asks, and with which token; of no bot. Throws ConfigError. */
export function loadAgentSettings(env: Environment = process.env): {
  readonly url: string;
  readonly token: string;
} {
  const { data } = agentSchema.safeParse(env);
  if (data) return { url: data.LAMPLIGHTER_URL, token: data.LAMPLIGHTER_TOKEN };
  throw new ConfigError([
    'LAMPLIGHTER_URL must be an https URL, like https://bot.example.com/mcp, and LAMPLIGHTER_TOKEN the token of an agent',
  ]);
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

function faultOf(issue: z.core.$ZodIssue, values: Readonly<Record<string, string>>): string {
  const name = String(issue.path[0] ?? 'environment');
  if (issue.code !== 'custom' && values[name] === undefined) return `${name} is missing`;
  if (issue.code === 'invalid_value') return `${name} must be one of ${issue.values.map(String).join(', ')}`;
  return `${name} ${issue.code === 'custom' || /^(must|may|is) /.test(issue.message) ? issue.message : 'is not valid'}`;
}

function prefixOf(name: string | undefined): string {
  return name === undefined ? '' : `${name}:`;
}

function toConfig(
  env: z.output<typeof environment>,
  given: Readonly<Record<string, string>>,
  variables: Environment,
) {
  const policy = env.LAMPLIGHTER_POLICY;
  const approvals: readonly ApprovalRule[] = [
    ...(env.LAMPLIGHTER_APPROVE.length === 0 ? [] : [{ on: env.LAMPLIGHTER_APPROVE }]),
    ...(policy?.approvals ?? []),
  ];
  const admins = env.LAMPLIGHTER_ADMINS;
  const everyone = policy?.everyone ?? env.LAMPLIGHTER_EVERYONE;
  return {
    slack: slackOf(env),
    hosting: {
      service: env.HOSTING_SERVICE,
      /** Without it, the service's own. */
      url: env.HOSTING_API_URL,
      /** Where its tokens are asked for, in place of where its adapter says. */
      loginUrl: env.HOSTING_LOGIN_URL,
      token: env.HOSTING_API_TOKEN,
      authHeader: env.HOSTING_API_AUTH_HEADER,
      authScheme: env.HOSTING_API_AUTH_SCHEME,
      /** With what the bot shows who it is, where the service asks for it. */
      clientCertificate: clientCertificateOf(env, 'HOSTING_API_CLIENT'),
    },
    /** Pages that buttons open. */
    links: { instanceUrl: env.INSTANCE_URL, topUpUrl: env.BILLING_TOPUP_URL },
    billingUnit: env.BILLING_UNIT,
    billingCurrency: env.BILLING_CURRENCY,
    /** The hosting service tops the balance up by itself. */
    isToppedUp: env.BILLING_AUTO_TOPUP === 'yes',
    alerts: {
      warn: env.BILLING_WARN,
      critical: env.BILLING_CRITICAL,
      budget: env.BILLING_BUDGET,
      channels: env.BILLING_CHANNELS,
      escalateTo: env.BILLING_ESCALATE_TO,
    },
    /** Where alerts and digests go beside Slack. */
    outside: outsideOf(env),
    redis: redisOf(env),
    /** Through which Slack and the hosting service are reached. */
    proxies: proxiesOf(env),
    /** Put before every key. */
    redisPrefix: prefixOf(env.REDIS_PREFIX),
    /** The mark of the deployment whose state is taken over. */
    takeOver: env.LAMPLIGHTER_TAKE_OVER,
    host: env.HOST,
    port: env.PORT,
    admins,
    everyone,
    role: env.LAMPLIGHTER_ROLE,
    /** Whether agents may ask. */
    hasAgents: env.LAMPLIGHTER_AGENTS === 'yes',
    protectedInstances: policy?.protectedInstances ?? env.LAMPLIGHTER_PROTECTED,
    /** Which changes need a second person. */
    approvals,
    /** What the policy file fixes, and the file's name. */
    policy,
    /** What of the shipped waits is set otherwise. */
    timings: timingsOf(env),
    audit: auditOf(env),
    /** Where traces go; undefined for nowhere. */
    traces: traceConfigOf(env),
    /** What a monitor outside has called; undefined for nothing. */
    heartbeatUrl: env.HEARTBEAT_URL,
    allowed: env.LAMPLIGHTER_ALLOW,
    logLevel: env.LOG_LEVEL,
    /** What can be started with and is hardly meant. */
    doubts: {
      ofBot: doubtsOfBot(variables),
      ofAccount: doubtsOfAccount({ given, lists: listsIn(env), admins, everyone, policy }),
    },
    /** The variables as they were set, to tell what another reading changes. */
    given,
    secrets: secretsIn(env),
  };
}

/** How Slack is reached, and as whom. */
function slackOf(env: z.output<typeof environment>) {
  const apiUrl = env.SLACK_API_URL.endsWith('/') ? env.SLACK_API_URL : `${env.SLACK_API_URL}/`;
  return {
    /** Empty where `install` is set: each workspace has its own then. */
    botToken: env.SLACK_BOT_TOKEN ?? '',
    /** Set where the bot can be installed in several workspaces. */
    install: installConfigOf(env),
    signingSecret: env.SLACK_SIGNING_SECRET,
    appToken: env.SLACK_APP_TOKEN,
    apiUrl,
    commandPrefix: env.SLACK_COMMAND_PREFIX,
  };
}

function timingsOf(env: z.output<typeof environment>) {
  return {
    cancelWindowMs: env.LAMPLIGHTER_CANCEL_WINDOW,
    billingCheckEveryMs: env.BILLING_CHECK_EVERY,
    unknownAfterMs: env.BILLING_UNKNOWN_AFTER,
  };
}

/** Where Redis is, and how sure what is written there must be. */
function redisOf(env: z.output<typeof environment>): RedisAt {
  return {
    url: env.REDIS_URL,
    replicas: env.REDIS_REPLICAS,
    goesOnAlone: env.LAMPLIGHTER_ALLOW.includes('lone-redis'),
    isVouchedFor: env.REDIS_DURABLE === 'service',
    certificate: clientCertificateOf(env, 'REDIS_CLIENT'),
  };
}

/** The variables that are lists of words, as they were read. */
function listsIn(env: z.output<typeof environment>): Readonly<Record<string, readonly string[]>> {
  const { BILLING_CHANNELS, BILLING_ESCALATE_TO, LAMPLIGHTER_ADMINS, LAMPLIGHTER_PROTECTED } = env;
  const { LAMPLIGHTER_APPROVE, LAMPLIGHTER_ALLOW } = env;
  return {
    BILLING_CHANNELS,
    BILLING_ESCALATE_TO,
    LAMPLIGHTER_ADMINS,
    LAMPLIGHTER_PROTECTED,
    LAMPLIGHTER_APPROVE,
    LAMPLIGHTER_ALLOW,
  };
}

/** A shorter part of a key is a word like others. */
const SHORTEST_PART = 12;

/** The parts of a key that is several in one, as `ID:SECRET`. */
function partsOf(key: string): readonly string[] {
  return key.includes(':') ? key.split(':').filter((part) => part.length >= SHORTEST_PART) : [];
}

/** What must never stand in the log or in a message. */
function secretsIn(env: z.output<typeof environment>): readonly string[] {
  const secrets = [
    env.SLACK_BOT_TOKEN,
    env.SLACK_CLIENT_SECRET,
    env.SLACK_STATE_SECRET,
    env.LAMPLIGHTER_TOKEN_KEYS,
    ...keysIn(env.LAMPLIGHTER_TOKEN_KEYS),
    env.SLACK_SIGNING_SECRET,
    env.SLACK_APP_TOKEN,
    env.HOSTING_API_TOKEN,
    ...partsOf(env.HOSTING_API_TOKEN),
    env.HOSTING_API_CLIENT_KEY,
    env.AUDIT_STREAM_AUTHORIZATION,
    env.AUDIT_SIGNING_KEY,
    env.HEARTBEAT_URL,
    ...secretsOfTraces(env),
    ...secretsOfOutside(env),
    ...secretsOfProxies(proxiesOf(env)),
    ...passwordsIn(env.REDIS_URL),
    env.REDIS_CLIENT_KEY,
  ];
  return [...new Set(secrets)].filter((value): value is string => value !== undefined && value !== '');
}
