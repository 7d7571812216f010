import { parseArgs } from 'node:util';
import { ConfigError } from '../src/app/config/config.ts';
import { readVariable } from '../src/app/config/values.ts';
import { TIMINGS } from '../src/core/timings.ts';
import { CLOUD_KINDS, type CloudKind } from './clouds/cloud.ts';
import { type Played, playLines, readPlayed } from './play.ts';
import { NoRedisError } from './redis.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
import { NoCustomerError } from './service/company-service.ts';
import { CHANNELS } from './slack/workspace/standard-channels.ts';
import { buildSandboxBot } from './start-bot.ts';
import { agentsWords, USAGE } from './usage.ts';

export const WHO = 'ana';
export const WHERE = '#ops';
const WHERE_ID = CHANNELS.find(({ name }) => `#${name}` === WHERE)?.id ?? '';
/** Where the page is, unless `--port` says otherwise. */
const PORT = 4040;
/** What follows `--service`. */
const SERVICES: readonly unknown[] = ['instance-hosting', ...CLOUD_KINDS];
const MAX_PORT = 65_535;
/** In the demo nobody wants to watch an instance that never starts for five minutes. */
const PATIENCE_MS = 20_000;

/** How the demo differs from the bot as it is shipped: people who try it see everything, and soon. */
export const DEMO = {
  env: { LAMPLIGHTER_EVERYONE: 'admin', BILLING_CHANNELS: WHERE_ID, LAMPLIGHTER_AGENTS: 'yes' },
  timings: {
    patienceMs: PATIENCE_MS,
    slowAfterMs: PATIENCE_MS / 2,
    cancelWindowMs: 10_000,
    // No oftener than shipped: what a demo left alone reads counts against its customer's limit. `:pass` looks at once.
    billingCheckEveryMs: TIMINGS.billingCheckEveryMs,
    // And each look has something new to show.
    alertFreshMs: 0,
  },
} satisfies SandboxOptions;

/** The variables that count in the demo as they do in the bot: who may do what, and which pages are opened. */
const TAKEN = [
  'LAMPLIGHTER_ADMINS',
  'LAMPLIGHTER_EVERYONE',
  'LAMPLIGHTER_PROTECTED',
  'LAMPLIGHTER_APPROVE',
  'LAMPLIGHTER_POLICY',
  'LAMPLIGHTER_AGENTS',
  'INSTANCE_URL',
  'BILLING_TOPUP_URL',
  'BILLING_AUTO_TOPUP',
];

/** What names an adapter of one's own, and the service on this machine that it is tried at. */
const OWN = ['HOSTING_SERVICE', 'HOSTING_API_URL', 'HOSTING_LOGIN_URL', 'HOSTING_API_TOKEN'];

/** Where the demo writes, and what lets a person type there. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Resolves with whether the person said that they want to quit; else only what they type has ended. */
  readonly talk: (sandbox: Sandbox) => Promise<boolean>;
  /** Opens an address in the person's browser. */
  readonly browse: (url: string) => void;
  /** Resolves when the demo is to end although nobody types. */
  readonly untilEnd: () => Promise<void>;
}

/**
 * `npm run demo`: the real bot between a Slack and a hosting company on this machine. With lines among `args` it types
 * those, prints the channel and ends; without, a person types. Gives the exit code.
 */
export async function runDemo(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Promise<number> {
  const wish = readArgs(args);
  if ('wrong' in wish) {
    terminal.err(`${wish.wrong}\n\n${USAGE}`);
    return 1;
  }
  if (wish.isHelp) {
    terminal.out(USAGE);
    return 0;
  }
  const options = {
    ...DEMO,
    env: { ...DEMO.env, ...takenFrom(env, TAKEN), ...ownServiceIn(env) },
    customer: wish.customer,
    service: wish.service,
    ...(wish.hasAccounts ? { accounts: {} } : {}),
    redisUrl: readVariable(env, 'REDIS_URL'),
  };
  let stage: Stage;
  try {
    stage = await openStage(options, wish);
  } catch (error) {
    const isSaid =
      error instanceof NoRedisError ||
      error instanceof NoCustomerError ||
      error instanceof ConfigError ||
      isPortTaken(error);
    if (!isSaid) throw error;
    terminal.err(error.message);
    return 1;
  }
  const { sandbox, url } = stage;
  try {
    // What stands in the channel when the first line is typed is no matter of luck.
    await sandbox.look();
    if (url === undefined) return await playOrTalk(sandbox, wish, terminal);
    terminal.out(`Slack in your browser: ${url}\n`);
    tellOfAgents(sandbox, terminal);
    if (wish.isOpen) terminal.browse(url);
    if (wish.lines.length > 0) await playScript(sandbox, wish.lines, terminal);
    if (!(await terminal.talk(sandbox))) await terminal.untilEnd();
    return 0;
  } finally {
    await stage.close();
  }
}

/** What a demo is played on; `url`: where its page is, where it has one. */
interface Stage {
  readonly sandbox: Sandbox;
  readonly url?: string;
  close(): Promise<void>;
}

async function openStage(options: SandboxOptions, { port }: Wish): Promise<Stage> {
  if (port === undefined) {
    const sandbox = await openSandbox(options);
    return { sandbox, close: () => sandbox.close() };
  }
  // Only where it is asked for: the page is built with packages that nothing else needs.
  const { openWeb } = await import('./web/open-web.ts');
  buildSandboxBot();
  return openWeb(options, port);
}

async function playOrTalk(sandbox: Sandbox, { lines }: Wish, terminal: Terminal): Promise<number> {
  if (lines.length > 0) return playScript(sandbox, lines, terminal);
  tellOfAgents(sandbox, terminal);
  await terminal.talk(sandbox);
  return 0;
}

/** Says where agents may ask, if they may. */
function tellOfAgents({ env, slack }: Sandbox, { out }: Terminal): void {
  if (env['LAMPLIGHTER_AGENTS'] === 'yes') out(agentsWords(slack.agentsUrl()));
}

function isPortTaken(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

/** Types the lines, prints what everybody and the person alone read then. Gives the exit code. */
export async function playScript(
  sandbox: Sandbox,
  lines: readonly string[],
  { out, err }: Pick<Terminal, 'out' | 'err'>,
): Promise<number> {
  await sandbox.reported();
  const played = await playLines(sandbox, lines, WHO, WHERE);
  out(`${WHO} types in ${WHERE}:\n${readPlayed(played)}\n`);
  out(`${WHERE}, as ${WHO} sees it:\n\n${sandbox.slack.transcript(WHERE, WHO)}`);
  const others = new Set(played.map(({ who }) => who).filter((who) => who !== WHO));
  const [first] = sandbox.slack.person(WHO).dms;
  if (first) out(`\n${WHO}'s direct messages:\n\n${sandbox.slack.transcript(first.channel, WHO)}`);
  for (const who of others) {
    const alone = readAlone(sandbox, who);
    if (alone !== '') out(`\nWhat ${who} alone reads:\n\n${alone}`);
  }
  const faults = played.filter((one): one is Played & { fault: string } => one.fault !== undefined);
  for (const { line, fault } of faults) err(`\n${line}: ${fault}`);
  return faults.length === 0 ? 0 : 1;
}

/** What the bot said to one person: in the channel, where nobody else sees it, and in direct messages. */
function readAlone({ slack }: Sandbox, who: string): string {
  const alone = slack
    .channel(WHERE)
    .ephemeralFor(who)
    .filter(({ deleted }) => !deleted);
  return [...alone, ...slack.person(who).dms]
    .filter((message) => message.bot_id !== undefined)
    .map((message) => `Lamplighter\n${slack.read(message).replaceAll(/^(?=.)/gm, '  ')}`)
    .join('\n\n');
}

/** What is set in the environment of who may do what; the bot itself refuses what is wrong with it. */
function takenFrom(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = readVariable(env, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** An adapter of one's own, at a service on this machine. Any other that the environment names is none that a demo may ask. */
function ownServiceIn(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const own = takenFrom(env, OWN);
  const { HOSTING_SERVICE: service, HOSTING_API_URL: url, HOSTING_LOGIN_URL: login = url } = own;
  return service !== undefined && isHere(url) && isHere(login) ? own : {};
}

function isHere(url: string | undefined): boolean {
  return (
    url !== undefined &&
    URL.canParse(url) &&
    ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
  );
}

interface Wish {
  readonly isHelp: boolean;
  readonly customer: string | undefined;
  /** The cloud that the bot is to run; undefined for the hosting company. */
  readonly service: CloudKind | undefined;
  /** Whether the bot is to run two accounts in place of one. */
  readonly hasAccounts: boolean;
  /** Where the page is to be served, 0 for any; undefined for no page. */
  readonly port: number | undefined;
  readonly isOpen: boolean;
  readonly lines: readonly string[];
}

/** What the arguments ask for, or what is wrong with them in a sentence. */
function readArgs(args: readonly string[]): Wish | { readonly wrong: string } {
  const options = {
    customer: { type: 'string' },
    service: { type: 'string' },
    accounts: { type: 'boolean' },
    web: { type: 'boolean' },
    port: { type: 'string' },
    open: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const read = parseArgs({ args: [...args], options, allowPositionals: true, strict: false, tokens: true });
  for (const token of read.tokens) {
    if (token.kind === 'option' && !(token.name in options))
      return { wrong: `There is no option ${token.rawName}.` };
  }
  const { customer, service, accounts, help, web, open, port = String(PORT) } = read.values;
  if (customer !== undefined && typeof customer !== 'string')
    return { wrong: '--customer wants the name of a customer after it.' };
  const wrong = faultOfService(service);
  if (wrong !== undefined) return { wrong };
  const kind = CLOUD_KINDS.find((one) => one === service);
  if (accounts === true && kind !== undefined)
    return { wrong: '--accounts is about the hosting company: leave --service out.' };
  if (typeof port !== 'string' || !/^\d{1,5}$/.test(port) || Number(port) > MAX_PORT)
    return { wrong: '--port wants a number after it, or 0 for any free port.' };
  const isWeb = web === true || open === true || read.values.port !== undefined;
  return {
    isHelp: help === true,
    customer,
    service: kind,
    hasAccounts: accounts === true,
    port: isWeb ? Number(port) : undefined,
    isOpen: open === true,
    lines: read.positionals,
  };
}

/** What is wrong with the word after `--service`, if anything. */
function faultOfService(word: unknown): string | undefined {
  if (word === undefined || SERVICES.includes(word)) return undefined;
  const start =
    typeof word === 'string'
      ? `There is no service ${JSON.stringify(word)}.`
      : '--service wants the name of a service after it.';
  return `${start} There are ${SERVICES.join(', ')}.`;
}
