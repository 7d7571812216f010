import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';

/** Where a process runs: the bot, its peers and Redis on one core; the load and the doubles on the others. */
export type Core = 'bot' | 'load';

/** What a run was measured on. */
export interface Machine {
  readonly cpu: string;
  readonly node: string;
  readonly redis: string;
  readonly isPinned: boolean;
}

const canPin = availableParallelism() > 1 && answers('taskset', ['--version']) !== undefined;
const CPUS: Readonly<Record<Core, string>> = {
  bot: '0',
  load: `1-${Math.max(1, availableParallelism() - 1)}`,
};

/** The words that run a program on a core, where the machine has more than one and a way to choose. */
export function pinned(core: Core, words: readonly string[]): readonly string[] {
  return canPin ? ['taskset', '-c', CPUS[core], ...words] : words;
}

/** Moves a process that runs already, with all its threads, to a core. */
export function pin(core: Core, pid: number): void {
  if (canPin) execFileSync('taskset', ['-a', '-c', '-p', CPUS[core], String(pid)], { stdio: 'ignore' });
}

/** Describes the machine. */
export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    node: process.version,
    redis: /v=(\S+)/.exec(answers('redis-server', ['--version']) ?? '')?.[1] ?? 'unknown',
    isPinned: canPin,
  };
}

function answers(program: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync(program, args, { stdio: ['ignore', 'pipe', 'ignore'] }).toString();
  } catch {
    return undefined;
  }
}
