import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildBot, shippedWords } from '../../sandbox/start-bot.ts';
import { type BenchProcess, startProcess } from './process.ts';
import { SECRET } from './requests.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The bot as the compiler alone makes it: a file for each module, its packages in node_modules. */
const COMPILED = `${ROOT}.build/compiled`;
/** The bot built as it is shipped, with nothing that refuses a load. */
const UNLIMITED = `${ROOT}.build/bench/product-process.js`;

/** Builds the bot as it is shipped, the same with nothing that refuses a load, and what the compiler alone makes. */
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

/** Starts the bot as `npm start` runs it, on the bot's core. */
export function startShipped(env: Readonly<Record<string, string>>): Promise<BenchProcess> {
  return startProcess({ name: 'the bot', words: shippedWords(), env, core: 'bot' });
}

/** Starts it with nothing that refuses a load. */
export function startUnlimited(env: Readonly<Record<string, string>>): Promise<BenchProcess> {
  const words = [...shippedWords().slice(0, -1), UNLIMITED];
  return startProcess({ name: 'the bot', words, env, core: 'bot' });
}
