import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Timings } from '../src/core/timings.ts';
import { killAtExit } from './cleanup.ts';
import { inherited } from './programs.ts';

/** A bot in a process of its own: something to pause, to end and to kill. */
export interface BotProcess {
  readonly pid: number;
  readonly port: number;
  /** Everything it has logged. */
  readonly output: () => string;
  readonly isRunning: () => boolean;
  signal(signal: NodeJS.Signals): void;
  /** Ends it and gives its exit code; null where a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface StartBotOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly timings?: Partial<Timings>;
  /** How far its wall clock is off. */
  readonly clockOffsetMs?: number;
  /** What its log must hold before it counts as started; default that it is ready. */
  readonly until?: string;
  /** What to run in place of the built bot: the words after `node`. */
  readonly script?: readonly string[];
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUILT_FOLDER = `${ROOT}.build/sandbox/`;
const BUILT = `${BUILT_FOLDER}bot.js`;

/** What is built: the bot with the waits of a sandbox, with what a benchmark wants otherwise, or as it is shipped. */
export type Build = 'sandbox' | 'bench' | 'production';

/** Builds the bot into the folder of its build, or into `outDir`. Throws where that fails. */
export function buildBot(build: Build, outDir?: string): void {
  const words = ['run', '--silent', 'build', '--', '--mode', build];
  execFileSync('npm', outDir === undefined ? words : [...words, '--outDir', outDir], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** What the sandbox's bot is built from. */
const SOURCES = ['src', 'sandbox', 'package-lock.json', 'vite.bot.config.ts'];

/**
 * Builds the sandbox's bot unless what stands there is newer than all that it is built from: another process may be about to
 * start it, and a build empties its folder first.
 */
export function buildSandboxBot(): void {
  if (!isBuilt()) buildBot('sandbox');
}

function isBuilt(): boolean {
  const builtAt = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs;
  return builtAt !== undefined && SOURCES.every((path) => newestIn(join(ROOT, path)) < builtAt);
}

/** When a file, or the file of a folder that was changed last, was changed, Unix ms. */
function newestIn(path: string): number {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const within = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return Math.max(found.mtimeMs, ...within.map((name) => statSync(join(path, name)).mtimeMs));
}

/** The file of a command that was built along with the sandbox's bot. */
export function builtCommand(name: 'doctor' | 'check-policy' | 'verify-audit' | 'propose'): string {
  return `${BUILT_FOLDER}${name}.js`;
}

/** The words after `node` of what `npm start` runs, for the bot that was built in `folder`. */
export function shippedWords(folder = ROOT): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
    scripts: { start: string };
  };
  const words = scripts.start.split(' ');
  return words
    .slice(words.indexOf('node') + 1)
    .map((word) => (word.includes('/') ? join(folder, word) : word));
}

/** JSON has no word for a wait that never ends; bot.ts reads it back. */
function writeForever(_name: string, value: unknown): unknown {
  return value === Number.POSITIVE_INFINITY ? 'forever' : value;
}

/** Starts a bot. Rejects with its output when it ends before it has started. */
export async function startBotProcess(options: StartBotOptions): Promise<BotProcess> {
  const { env, timings = {}, clockOffsetMs = 0, script = [BUILT], until = '"msg":"ready"' } = options;
  const child = spawn(
    process.execPath,
    [...script, JSON.stringify({ timings, clockOffsetMs }, writeForever)],
    {
      env: { ...inherited(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  killAtExit(child);
  let output = '';
  const port = await new Promise<number>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const listening = /"port":(\d+)/.exec(output)?.[1];
      if (listening !== undefined && output.includes(until)) resolve(Number(listening));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`the bot ended with ${code ?? signal}: ${output}`)),
    );
  });
  return {
    pid: child.pid ?? 0,
    port,
    output: () => output,
    isRunning: () => isRunning(child),
    signal: (signal) => void child.kill(signal),
    end: async (signal) => {
      if (!isRunning(child)) return child.exitCode;
      const exit = new Promise<number | null>((resolve) => {
        // Not at its exit: what it logged last is still on its way then.
        child.once('close', resolve);
      });
      child.kill(signal);
      return exit;
    },
  };
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
