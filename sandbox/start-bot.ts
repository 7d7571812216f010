import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Timings } from '../src/core/timings.ts';
import { killAtExit } from './cleanup.ts';

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

const BUILT = fileURLToPath(new URL('../node_modules/.cache/lamplighter-bot/bot.js', import.meta.url));

/** Makes one file of the bot, because a process that compiles and gathers itself takes several times as long to start. */
export function buildBot(): void {
  execFileSync('npm', ['run', '--silent', 'build:bot'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Starts a bot. Rejects with its output when it ends before it has started. */
export async function startBotProcess(options: StartBotOptions): Promise<BotProcess> {
  const { env, timings = {}, clockOffsetMs = 0, script = [BUILT], until = '"msg":"ready"' } = options;
  const child = spawn(process.execPath, [...script, JSON.stringify({ timings, clockOffsetMs })], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
