import { createPrivateKey, X509Certificate } from 'node:crypto';
import { loadEnvFile } from 'node:process';
import { z } from 'zod';
import { completeThresholds, parseThreshold } from '../../core/money/typed.ts';
import type { ApprovalRule } from '../../core/policy/pattern.ts';
import type { RedisAt } from '../../platform/redis/address.ts';
import { ACCESS, type NamedPolicy, STDOUT } from './access-variables.ts';
import type { NamedAccountsFile } from './accounts-file.ts';
import { faultsOfAddresses, isSafeUrl } from './addresses.ts';
import { type Doubt, doubtsOfAccount, doubtsOfBot, faultsOfUnknown } from './doubts.ts';
import { DEFAULT_SERVICE, HOSTING } from './hosting-variables.ts';
import { PROCESS } from './process-variables.ts';
import { type Environment, readValues } from './values.ts';
import { filled, type Variable } from './variable.ts';
import { SECTIONS, type Values, VARIABLES } from './variables.ts';

export type Config = Readonly<ReturnType<typeof toConfig>>;
/** What installing in several workspaces needs. */
export type InstallConfig = NonNullable<Config['slack']['install']>;

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
 * Puts into the environment what the file `.env` in the folder of the process has and the environment has not, as the bot is
 * started with. Does nothing where there is none. Throws ConfigError where it can't be read, without a word of what it holds.
 */
export function readEnvFile(): void {
  try {
    loadEnvFile();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ENOENT') throw new ConfigError([".env is there and can't be read"]);
  }
}

/**
 * Reads the environment once, and the files that it names: by `…_FILE` for secrets, and the policy.
 * Throws ConfigError, which names each faulty variable and never its value.
 */
export function loadConfig(env: Environment = process.env): Config {
  const { values: given, faults } = readValues(env, VARIABLES);
  faults.push(...faultsTogether(given));
  const values = new Map<string, unknown>();
  const empty: string[] = [];
  for (const variable of VARIABLES) {
    const parsed = variable.schema.safeParse(given[variable.name]);
    if (parsed.success) {
      values.set(variable.name, parsed.data);
      if (given[variable.name] !== undefined && isEmptyList(parsed.data)) empty.push(variable.name);
    } else faults.push(...parsed.error.issues.map((issue) => faultOf(variable.name, issue, given)));
  }
  faults.push(...faultsOfAddresses(given, faults), ...faultsOfUnknown(env));
  if (faults.length > 0) throw new ConfigError([...new Set(faults)]);
  // The schema that says the type of each is what filled it.
  const parts = filled(Object.values(SECTIONS), values) as Values;
  return Object.freeze(toConfig(parts, given, { ofBot: doubtsOfBot(env), empty }));
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Where Redis is, for what needs nothing else. Throws ConfigError. */
export function loadRedisAt(env: Environment = process.env): Pick<RedisAt, 'url' | 'certificate'> {
  const { url, certificate } = PROCESS.redis;
  const [cert, key] = [loadOne(env, certificate.cert), loadOne(env, certificate.key)];
  return { url: loadOne(env, url), certificate: whole({ cert, key }) };
}

/** What REDIS_PREFIX puts before every key; empty for nothing. Throws ConfigError. */
export function loadRedisPrefix(env: Environment = process.env): string {
  return loadOne(env, PROCESS.redisPrefix);
}

/** HOSTING_SERVICE alone, for what needs nothing else. Throws ConfigError. */
export function loadHostingService(env: Environment = process.env): string {
  return loadOne(env, HOSTING.hosting.service);
}

/** What the file at LAMPLIGHTER_POLICY fixes; undefined where none is named. Throws ConfigError. */
export function loadPolicy(env: Environment = process.env): NamedPolicy | undefined {
  return loadOne(env, ACCESS.policy);
}

/** What stands in the file at HOSTING_ACCOUNTS; undefined where none is named. Throws ConfigError where it can't be read. */
export function loadAccountsFile(env: Environment = process.env): NamedAccountsFile | undefined {
  return loadOne(env, HOSTING.accountsFile);
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

function loadOne<T>(env: Environment, variable: Variable & { readonly schema: z.ZodType<T> }): T {
  const { name, schema } = variable;
  const { values, faults } = readValues(env, [variable]);
  const parsed = schema.safeParse(values[name]);
  if (parsed.error) faults.push(...parsed.error.issues.map((issue) => faultOf(name, issue, values)));
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  return parsed.data;
}

function faultOf(name: string, issue: z.core.$ZodIssue, given: Readonly<Record<string, string>>): string {
  if (issue.code !== 'custom' && given[name] === undefined) return `${name} is missing`;
  if (issue.code === 'invalid_value') return `${name} must be one of ${issue.values.map(String).join(', ')}`;
  return `${name} ${issue.code === 'custom' || /^(must|may|is) /.test(issue.message) ? issue.message : 'is not valid'}`;
}

const THRESHOLD_FAULTS: ReadonlyMap<unknown, string> = new Map([
  ['mixed units', 'must count what BILLING_WARN counts: days in both, as in 5d and 2d, or a balance in both'],
  ['wrong order', 'must be below BILLING_WARN'],
]);
/** Levels at which the log leaves out what the audit is written with. */
const TOO_QUIET: ReadonlySet<unknown> = new Set(['warn', 'error', 'fatal', 'silent']);

/**
 * What is wrong with variables beside each other. It looks at them as texts, so that it is said at once with what is wrong with
 * each of them. Pure; names variables and never their values.
 */
function faultsTogether(given: Readonly<Record<string, string | undefined>>): readonly string[] {
  const isSet = (name: string): boolean => given[name] !== undefined;
  const isSeveral = isSet('SLACK_TEAMS');
  const isOverHttp = !isSet('SLACK_APP_TOKEN') && given['LAMPLIGHTER_ROLE'] !== 'worker';
  const [warn, critical] = ['BILLING_WARN', 'BILLING_CRITICAL'].map((name) =>
    parseThreshold(given[name] ?? ''),
  );
  const threshold = warn && critical && THRESHOLD_FAULTS.get(completeThresholds({ warn, critical }));
  const rules: readonly (readonly [isBroken: boolean, fault: string])[] = [
    // Every other service has an address of its own.
    [given['HOSTING_SERVICE'] === DEFAULT_SERVICE && !isSet('HOSTING_API_URL'), 'HOSTING_API_URL is missing'],
    ...['HOSTING_API_CLIENT', 'REDIS_CLIENT'].map(
      (client) =>
        [
          isOfAnother(given[`${client}_CERT`], given[`${client}_KEY`]),
          `${client}_KEY is not the key of ${client}_CERT`,
        ] as const,
    ),
    [!isSeveral && !isSet('SLACK_BOT_TOKEN'), 'SLACK_BOT_TOKEN is missing'],
    [
      isSeveral && isSet('SLACK_BOT_TOKEN'),
      "SLACK_BOT_TOKEN can't be set beside SLACK_TEAMS: each workspace gets a token of its own",
    ],
    [
      isSeveral && isSet('SLACK_APP_TOKEN'),
      "SLACK_APP_TOKEN can't be set beside SLACK_TEAMS: several workspaces need HTTP",
    ],
    [
      given['AUDIT_STREAM'] === STDOUT && TOO_QUIET.has(given['LOG_LEVEL']),
      'LOG_LEVEL must be info or lower, since AUDIT_STREAM=stdout writes the audit into the log',
    ],
    ...VARIABLES.flatMap(({ name, needs = [] }) =>
      needs.map(
        (other) => [isSet(name) && !isSet(other), `${other} is missing, and ${name} needs it`] as const,
      ),
    ),
    [
      isOverHttp && !isSet('SLACK_SIGNING_SECRET'),
      'SLACK_SIGNING_SECRET is needed unless SLACK_APP_TOKEN turns Socket Mode on',
    ],
    [threshold !== undefined, `BILLING_CRITICAL ${threshold}`],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, fault]) => fault);
}

/** Whether a certificate and a key can both be read and don't belong together. */
function isOfAnother(cert: string | undefined, key: string | undefined): boolean {
  try {
    return (
      cert !== undefined &&
      key !== undefined &&
      !new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
    );
  } catch {
    return false;
  }
}

function isWhole<T extends object>(
  group: T,
): group is T & { readonly [Field in keyof T]: NonNullable<T[Field]> } {
  return Object.values(group).every((value) => value !== undefined && !isEmptyList(value));
}

/** Variables that count together alone: undefined where one of them is not set, or names nothing. */
function whole<T extends object>(
  group: T,
): (T & { readonly [Field in keyof T]: NonNullable<T[Field]> }) | undefined {
  return isWhole(group) ? group : undefined;
}

/** What the variables say, with what follows from several of them. */
function toConfig(
  values: Values,
  given: Readonly<Record<string, string>>,
  doubts: { readonly ofBot: readonly Doubt[]; readonly empty: readonly string[] },
) {
  const {
    accountsFile: _,
    approved,
    policy,
    slack,
    hosting,
    outside,
    redis,
    audit,
    traces,
    ...others
  } = values;
  const approvals: readonly ApprovalRule[] = [
    ...(approved.length === 0 ? [] : [{ on: approved }]),
    ...(policy?.approvals ?? []),
  ];
  const everyone = policy?.everyone ?? others.everyone;
  const { to, authorization } = audit.stream;
  return {
    ...others,
    slack: { ...slack, install: whole(slack.install) },
    hosting: { ...hosting, clientCertificate: whole(hosting.clientCertificate) },
    outside: { webhook: whole(outside.webhook), mail: whole(outside.mail) },
    redis: {
      ...redis,
      goesOnAlone: others.allowed.includes('lone-redis'),
      certificate: whole(redis.certificate),
    } satisfies RedisAt,
    everyone,
    protectedInstances: policy?.protectedInstances ?? others.protectedInstances,
    /** Which changes need a second person. */
    approvals,
    policy,
    audit: {
      keepMs: audit.keepMs,
      stream: to === undefined ? undefined : { to, authorization },
      head: whole(audit.head),
    },
    /** Where traces go; undefined for nowhere. */
    traces:
      traces.url === undefined
        ? undefined
        : {
            url: traces.url,
            headers: traces.headers,
            resource: { ...traces.attributes, 'service.name': traces.serviceName },
          },
    /** What can be started with and is hardly meant. */
    doubts: {
      ofBot: doubts.ofBot,
      ofAccount: doubtsOfAccount({ given, empty: doubts.empty, admins: others.admins, everyone, policy }),
    },
    /** The variables as they were set, to tell what another reading changes. */
    given,
    secrets: secretsIn(given),
  };
}

/** What must never stand in the log or in a message. */
function secretsIn(given: Readonly<Record<string, string>>): readonly string[] {
  const secrets = VARIABLES.flatMap(({ name, secret, hidden }) => {
    const text = given[name];
    if (!secret || text === undefined) return [];
    return hidden ? hidden(text) : [text];
  });
  return [...new Set(secrets)].filter((text) => text !== '');
}
