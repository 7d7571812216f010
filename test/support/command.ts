import { spawn } from 'node:child_process';
import { inherited } from '../../sandbox/programs.ts';
import { builtCommand } from '../../sandbox/start-bot.ts';

/** What a command prints, on both outputs, and its exit code. */
export interface Ran {
  readonly code: number | null;
  readonly said: string;
}

type Env = Readonly<Record<string, string>>;

/**
 * Runs a command of the bot in a process of its own, since its exit code is tested and that nothing keeps it alive. It is the
 * built one, which starts five times as fast as from its sources. `folder`: in which it is run.
 */
export function runCommand(
  name: Parameters<typeof builtCommand>[0],
  args: readonly string[],
  env: Env = {},
  folder?: string,
): Promise<Ran> {
  return run(process.execPath, [builtCommand(name), ...args], env, folder);
}

/** Runs a script of package.json, as a person with a checkout does. */
export function runScript(name: string, args: readonly string[], env: Env = {}): Promise<Ran> {
  return run('npm', ['run', '--silent', name, '--', ...args], env);
}

function run(program: string, args: readonly string[], env: Env, folder?: string): Promise<Ran> {
  const child = spawn(program, args, {
    env: { ...inherited(), ...env },
    ...(folder === undefined ? {} : { cwd: folder }),
  });
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  return new Promise((done) => child.on('close', (code) => done({ code, said })));
}
