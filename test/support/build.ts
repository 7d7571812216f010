import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findRedisServer } from '../../sandbox/redis.ts';
import { buildSandboxBot } from '../../sandbox/start-bot.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** From which every property draws. */
    seed: number;
    /** Whether this is `npm run test:chaos`. */
    isChaos: boolean;
    /** A folder outside the project, removed after all tests: a process of theirs may end without removing anything. */
    scratchFolder: string;
  }
}

/**
 * Before all tests: Redis, the bot that some of them start as a process, the seed of all properties and a folder for files.
 * Gives what removes that folder, after all tests.
 */
export default function setup(project: TestProject): () => void {
  // Installed once, before there are files that run beside one another: only one of them would get the package manager's lock.
  findRedisServer();
  buildSandboxBot();
  project.provide('seed', seedOfRun());
  const scratchFolder = mkdtempSync(join(tmpdir(), 'lamplighter-tests-'));
  project.provide('scratchFolder', scratchFolder);
  return () => rmSync(scratchFolder, { recursive: true, force: true });
}

/** The first everywhere, so that what is green once is green again; the night draws by its date. */
function seedOfRun(): number {
  const seed = Number(process.env['LAMPLIGHTER_SEED'] ?? 1);
  if (!Number.isSafeInteger(seed)) throw new Error('LAMPLIGHTER_SEED must be a whole number');
  if (seed !== 1) process.stdout.write(`Properties draw from LAMPLIGHTER_SEED=${seed}\n`);
  return seed;
}
