import { closest } from '../../core/ask/closest.ts';
import type { Role } from '../../core/policy/permissions.ts';
import type { NamedPolicy } from './access-variables.ts';
import type { Environment } from './values.ts';
import { readVariable } from './values.ts';
import { VARIABLES } from './variables.ts';

/** Something that can be started with and is hardly meant: what it is, and what to do. Never a value of a secret. */
export interface Doubt {
  readonly what: string;
  readonly todo: string;
}

const PREFIXES = ['LAMPLIGHTER_', 'SLACK_', 'HOSTING_', 'BILLING_', 'REDIS_'];
/** What Kubernetes and Docker put into each container beside a service named like one of ours. */
const OF_SERVICE_LINKS = /_(SERVICE_(HOST|PORT\w*)|PORT(_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)?|NAME|ENV_\w+)$/;
/** Variables that the bot once read, and what to do now. Where the bot would not work without one, it doesn't start. */
const GONE: Readonly<Record<string, { readonly todo: string; readonly isRefused?: true }>> = {
  HOSTING_API_AUTH_HEADER: {
    todo: 'Take it out, and where it was not Authorization, name an adapter in HOSTING_SERVICE that says auth.',
    isRefused: true,
  },
  HOSTING_API_AUTH_SCHEME: {
    todo: 'Take it out, and where it was not Bearer, name an adapter in HOSTING_SERVICE that says auth.',
    isRefused: true,
  },
  BILLING_UNIT: {
    todo: 'Take it out, and where it was not credits, name an adapter in HOSTING_SERVICE that says billing.unit.',
  },
  BILLING_UNKNOWN_AFTER: { todo: 'Take it out: it is half an hour.' },
  SLACK_STATE_SECRET: { todo: 'Take it out: it follows from SLACK_CLIENT_SECRET.' },
  SLACK_STATE_SECRET_FILE: { todo: 'Take it out: it follows from SLACK_CLIENT_SECRET.' },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    todo: 'Put what stands before its /v1/traces into OTEL_EXPORTER_OTLP_ENDPOINT.',
  },
};

/** Those of them that are set. Pure. */
function goneIn(env: Environment) {
  return Object.entries(GONE)
    .filter(([name]) => readVariable(env, name) !== undefined)
    .map(([name, { todo, isRefused }]) => ({ what: `${name} is no variable any more.`, todo, isRefused }));
}

/** What to do with a variable that the bot once read; undefined for any other. Pure. */
export function wordsOfGone(name: string): string | undefined {
  const gone = Object.hasOwn(GONE, name) ? GONE[name] : undefined;
  return gone && `${name} is no variable any more. ${gone.todo}`;
}

const NAMES = VARIABLES.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
const OURS = NAMES.filter((name) => PREFIXES.some((prefix) => name.startsWith(prefix)));
/** So many letters after the prefix make a name the beginning of another. */
const ALIKE = 4;

/** Variables that begin like ours and that there are none of, each with the one that is likely meant. Pure. */
function unknownVariables(
  env: Environment,
): readonly { readonly name: string; readonly meant: string | undefined }[] {
  return Object.keys(env)
    .filter((name) => PREFIXES.some((prefix) => name.toUpperCase().startsWith(prefix)))
    .filter(
      (name) => !NAMES.includes(name) && wordsOfGone(name) === undefined && !OF_SERVICE_LINKS.test(name),
    )
    .filter((name) => readVariable(env, name) !== undefined)
    .map((name) => ({ name, meant: nearestVariable(name) }));
}

/** The variable that a name was likely to be; undefined where none is near. Pure. */
export function nearestVariable(typed: string): string | undefined {
  const name = typed.toUpperCase();
  const near = closest(
    name,
    NAMES.map((one) => one.toLowerCase()),
  );
  if (near !== undefined) return near.toUpperCase();
  const [, prefix = '', rest = ''] = /^([A-Z]+_)(.*)$/.exec(name) ?? [];
  const begin = name.slice(0, prefix.length + ALIKE);
  return (
    OURS.find((one) => one.startsWith(name) || name.startsWith(one)) ??
    OURS.find((one) => rest.length >= ALIKE && one.endsWith(`_${rest}`)) ??
    OURS.find((one) => rest.length >= ALIKE && one.startsWith(begin))
  );
}

/** "LAMPLIGHTER_PROTECT is not a variable. Did you mean LAMPLIGHTER_PROTECTED?", without its end. */
function unknownWords({ name, meant }: { readonly name: string; readonly meant?: string | undefined }) {
  return `${name} is not a variable${meant === undefined ? '' : `. Did you mean ${meant}?`}`;
}

/** The names whose absence opens what they are to close: one that is nearly written so is refused. */
const GUARDS = VARIABLES.filter(({ isGuard }) => isGuard).map(({ name }) => name);

/**
 * What is wrong with variables that nobody reads: a misspelt guard leaves open what it was to close, and nobody would notice
 * before the day it is needed; and without one that is gone, the bot would not work. Pure.
 */
export function faultsOfUnknown(env: Environment): readonly string[] {
  const misspelt = unknownVariables(env).filter(({ meant }) => meant !== undefined && GUARDS.includes(meant));
  const gone = goneIn(env).filter(({ isRefused }) => isRefused);
  return [
    ...misspelt.map(unknownWords),
    ...gone.map(({ what, todo }) => `${what} ${todo}`.replace(/\.$/, '')),
  ];
}

/** What about the whole bot is hardly meant. Pure. */
export function doubtsOfBot(env: Environment): readonly Doubt[] {
  return [
    ...unknownVariables(env).map((one) => ({
      what: unknownWords(one).replace(/(?<!\?)$/, '.'),
      todo: 'Nobody reads it: rename it, or take it out.',
    })),
    ...goneIn(env).map(({ what, todo }) => ({ what, todo })),
    ...doubtsOfProxies(env),
  ];
}

/** What about proxies is hardly meant. Pure. */
function doubtsOfProxies(env: Environment): readonly Doubt[] {
  const find = (name: string): string | undefined =>
    readVariable(env, name.toLowerCase()) ?? readVariable(env, name);
  const all = ['ALL_PROXY', 'all_proxy'].find((name) => readVariable(env, name) !== undefined);
  const isSet = find('HTTPS_PROXY') !== undefined || find('HTTP_PROXY') !== undefined;
  const range = (find('NO_PROXY') ?? '').split(/[\s,]+/).find((one) => one.includes('/'));
  return doubtsIn([
    [
      all !== undefined && !isSet,
      `${all} is set, but I don't read it: I connect to Slack and to the hosting service directly.`,
      'Put the address of the proxy into HTTPS_PROXY, or take it out.',
    ],
    [
      range !== undefined,
      `NO_PROXY has ${range}, but I compare names and single addresses only.`,
      'Name each host that I am to reach directly.',
    ],
  ]);
}

function doubtsIn(all: readonly (readonly [isSo: boolean, what: string, todo: string])[]): readonly Doubt[] {
  return all.filter(([isSo]) => isSo).map(([, what, todo]) => ({ what, todo }));
}

/** What about one account is hardly meant. `given`: variables as they are set, `empty`: those that are lists of nothing. Pure. */
export function doubtsOfAccount({
  given,
  empty,
  admins,
  everyone,
  policy,
}: {
  readonly given: Readonly<Record<string, string>>;
  readonly empty: readonly string[];
  readonly admins: readonly string[];
  readonly everyone: Role | 'none';
  readonly policy: NamedPolicy | undefined;
}): readonly Doubt[] {
  const hasAdmin =
    admins.length > 0 || everyone === 'admin' || (policy?.grants ?? []).some(({ role }) => role === 'admin');
  return doubtsIn([
    ...empty.map(
      (name) =>
        [
          true,
          `${name} is set, but nothing stands in it.`,
          'Put in what it is to name, or take it out.',
        ] as const,
    ),
    [
      policy?.protectedInstances !== undefined && given['LAMPLIGHTER_PROTECTED'] !== undefined,
      `LAMPLIGHTER_PROTECTED doesn't count: ${policy?.name} says what is protected.`,
      'Put its names under protected in that file, or take it out.',
    ],
    [
      given['AUDIT_SIGNING_KEY'] !== undefined && given['AUDIT_HEAD_CHANNEL'] === undefined,
      'AUDIT_SIGNING_KEY signs nothing, since AUDIT_HEAD_CHANNEL is not set.',
      'Name the channel that the head of the audit is to go to.',
    ],
    [
      !hasAdmin,
      'There is no admin, so nobody can give roles or answer who asks for one.',
      'Put your Slack user id into LAMPLIGHTER_ADMINS.',
    ],
  ]);
}
