import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Timings } from '../../src/core/timings.ts';
import { type BenchProcess, startProcess } from './process.ts';
import { SECRET } from './requests.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What the compiler makes of the bot's start file, packages and all apart. */
const COMPILED = `${ROOT}dist/main.js`;
/** The same with what a benchmark wants otherwise. */
const ALTERED = fileURLToPath(new URL('product.mjs', import.meta.url));

/** What a benchmark wants otherwise than it is shipped. Nothing: the bot as `npm start` runs it. */
export interface Altered {
  readonly timings?: Partial<Timings>;
  /** The host's limit, where it is not to stand in the way. */
  readonly limit?: { readonly requests: number; readonly seconds: number };
  /** So many verbs beside its own. */
  readonly verbs?: number;
}

/** More calls than any benchmark makes. */
export const NO_LIMIT = { requests: 1_000_000, seconds: 60 };

/** Builds the bot as it is shipped, into dist/. */
export function buildProduct(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
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

/** The words after `node` of what `npm start` runs. */
function shipped(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
    scripts: { start: string };
  };
  const words = scripts.start.split(' ');
  return words.slice(words.indexOf('node') + 1).map((word) => (word.includes('/') ? ROOT + word : word));
}

/** Starts the bot from what the compiler made of it, which may not be what is shipped. */
export function startCompiled(env: Readonly<Record<string, string>>): Promise<BenchProcess> {
  return startProcess({ name: 'the compiled bot', words: [COMPILED], env, core: 'bot' });
}

/** Starts the built bot, on the bot's core. */
export function startProduct(
  env: Readonly<Record<string, string>>,
  altered?: Altered,
): Promise<BenchProcess> {
  const words = altered === undefined ? shipped() : [ALTERED, JSON.stringify(altered)];
  return startProcess({ name: 'the bot', words, env, core: 'bot' });
}
