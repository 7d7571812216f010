import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildBot, shippedWords } from '../../sandbox/start-bot.ts';
import type { Timings } from '../../src/core/timings.ts';
import { type BenchProcess, startProcess } from './process.ts';
import { SECRET } from './requests.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The bot as the compiler alone makes it: a file for each module, its packages in node_modules. */
const COMPILED = `${ROOT}.build/compiled`;
/** The bot built as it is shipped, with what a benchmark wants otherwise. */
const ALTERED = `${ROOT}.build/bench/product-process.js`;

/** What a benchmark wants otherwise than it is shipped. Nothing: the bot as `npm start` runs it. */
export interface Altered {
  readonly timings?: Partial<Timings>;
  /** The host's limit, where it is not to stand in the way. */
  readonly limit?: { readonly requests: number; readonly seconds: number };
  /** So many verbs beside its own. */
  readonly verbs?: number;
  /** Acknowledges and answers what it has not written down, which no bot should: what writing down costs. */
  readonly writesNothingDown?: boolean;
}

/** More calls than any benchmark makes. */
export const NO_LIMIT = { requests: 1_000_000, seconds: 60 };

/** Builds the bot as it is shipped, the same for what a benchmark wants otherwise, and what the compiler alone makes. */
export function buildProduct(): void {
  buildBot('production');
  buildBot('bench');
  rmSync(COMPILED, { recursive: true, force: true });
  execFileSync('npx', ['tsc', '-p', 'bench/tsconfig.compiled.json'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const isScript = (path: string): boolean => path.endsWith('.lua') || statSync(path).isDirectory();
  cpSync(`${ROOT}src`, COMPILED, { recursive: true, filter: isScript });
}

/** Where a bot finds what it works with. */
export interface Surroundings {
  readonly apiUrl: string;
  readonly hostingUrl: string;
  readonly redisUrl: string;
}

/** The environment of a bot or a peer among these. */
export function envOf({ apiUrl, hostingUrl, redisUrl }: Surroundings): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: '0',
    SLACK_BOT_TOKEN: 'xoxb-bench-bot-token',
    SLACK_SIGNING_SECRET: SECRET,
    SLACK_API_URL: apiUrl,
    HOSTING_API_URL: hostingUrl,
    HOSTING_API_TOKEN: 'bench-api-key',
    REDIS_URL: redisUrl,
    LAMPLIGHTER_EVERYONE: 'operator',
  };
}

/** Starts the bot from what the compiler alone made of it. */
export function startCompiled(env: Readonly<Record<string, string>>): Promise<BenchProcess> {
  return startProcess({ name: 'the compiled bot', words: [`${COMPILED}/main.js`], env, core: 'bot' });
}

/** Starts the built bot, on the bot's core. */
export function startProduct(
  env: Readonly<Record<string, string>>,
  altered?: Altered,
): Promise<BenchProcess> {
  const shipped = shippedWords();
  const words = altered === undefined ? shipped : [...shipped.slice(0, -1), ALTERED, JSON.stringify(altered)];
  return startProcess({ name: 'the bot', words, env, core: 'bot' });
}
