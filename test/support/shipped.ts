import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { buildBot, shippedWords } from '../../sandbox/start-bot.ts';

const BUILT_WITHIN_MS = 60_000;
const POLL_EVERY_MS = 50;

/**
 * A folder far from any node_modules that holds what the image holds: `dist/` and package.json. Built once for all processes
 * of a test run; the others wait.
 */
export function shippedFolder(): string {
  const folder = join(inject('scratchFolder'), 'shipped');
  /** Stands once it was tried, and says why it failed. */
  const tried = join(inject('scratchFolder'), 'shipped-is-built');
  if (isMine(folder)) writeFileSync(tried, build(folder));
  const until = performance.now() + BUILT_WITHIN_MS;
  while (!existsSync(tried)) {
    if (performance.now() > until) throw new Error('the bot as it is shipped was not built in time');
    sleep(POLL_EVERY_MS);
  }
  const why = readFileSync(tried, 'utf8');
  if (why !== '') throw new Error(`building the bot as it is shipped: ${why}`);
  return folder;
}

/** Gives why it could not be built; empty where it was. */
function build(folder: string): string {
  try {
    buildBot('production', join(folder, 'dist'));
    copyFileSync('package.json', join(folder, 'package.json'));
    return '';
  } catch (error) {
    return String(error);
  }
}

/** Whether this process is the one that makes the folder. */
function isMine(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** The words after `node` of what `npm start` and the image run, in that folder. */
export function shippedStart(): readonly string[] {
  return shippedWords(shippedFolder());
}
