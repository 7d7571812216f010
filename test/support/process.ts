import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { FAST } from './sandbox.ts';

const children: ChildProcess[] = [];

afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => end(child, 'SIGKILL')));
});

/** A bot in a process of its own. */
export interface BotProcess {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Ends it and gives its exit code; null where a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts a bot for this sandbox. `script` is the test's own entry with fast timings, or the real one. */
export async function startProcess(
  sandbox: Sandbox,
  options: {
    env?: Record<string, string>;
    script?: 'test/support/bot.ts' | 'src/main.ts';
    listens?: boolean;
  } = {},
): Promise<BotProcess> {
  const script = options.script ?? 'test/support/bot.ts';
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', script, JSON.stringify({ ...FAST, patienceMs: 20_000, slowAfterMs: 10_000 })],
    {
      env: { PATH: process.env.PATH, ...sandbox.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  children.push(child);
  let output = '';
  const port = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const listening = /"port":(\d+)/.exec(output)?.[1];
      if (listening !== undefined) resolve(listening);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`the bot ended with ${code}: ${output}`)));
  });
  if (options.listens !== false) {
    sandbox.slack.connect({ requestUrl: `http://127.0.0.1:${port}/slack/events` });
  }
  return { child, output: () => output, end: (signal) => end(child, signal) };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  child.kill(signal);
  return exit;
}
