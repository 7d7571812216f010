import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs of the system that the sandbox needs: where they are, and how they are installed without a question. */

/** Where a program is; undefined where there is none of that name. */
export function onPath(name: string): string | undefined {
  // How a program is found is the shell's business, not configuration of the bot.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find(isRunnable);
}

/** Whether a program can be run and ends well. */
export function runs(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The environment in which a package manager asks nothing. */
export function quietly(): NodeJS.ProcessEnv {
  return { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
}

const INHERITED = [
  'PATH',
  'HOME',
  'LD_PRELOAD',
  'FAKETIME',
  'FAKETIME_DONT_FAKE_MONOTONIC',
  'DONT_FAKE_MONOTONIC',
  'NO_FAKE_STAT',
];

/**
 * What a program has of this process' environment where the rest is its own: where programs are, and the clock that `.ci/at` may
 * have set for all of them.
 */
export function inherited(): Record<string, string> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
