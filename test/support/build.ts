import { execFileSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { buildBot } from '../../sandbox/start-bot.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** From which every property draws. */
    seed: number;
    /** Whether this is `npm run test:chaos`. */
    isChaos: boolean;
  }
}

/** Before all tests: the bot that some of them start as a process, and the seed of all properties. */
export default function setup(project: TestProject): void {
  buildBot('sandbox');
  project.provide('seed', seedOfCommit());
}

/** The same files draw the same, wherever they are tested; every change draws anew. A checkout without git draws the first. */
function seedOfCommit(): number {
  try {
    const tree = execFileSync('git', ['rev-parse', 'HEAD^{tree}'], { stdio: ['ignore', 'pipe', 'ignore'] });
    return Number.parseInt(tree.toString().slice(0, 7), 16);
  } catch {
    return 1;
  }
}
