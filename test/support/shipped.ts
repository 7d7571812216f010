import { copyFileSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { buildBot, shippedWords } from '../../sandbox/start-bot.ts';

let folder: string | undefined;

/** A folder far from any node_modules that holds what the image holds: `dist/` and package.json. Built once a process. */
export function shippedFolder(): string {
  if (folder !== undefined) return folder;
  const made = mkdtempSync(join(inject('scratchFolder'), 'shipped-'));
  buildBot('production', join(made, 'dist'));
  copyFileSync('package.json', join(made, 'package.json'));
  folder = made;
  return made;
}

/** The words after `node` of what `npm start` and the image run, in that folder. */
export function shippedStart(): readonly string[] {
  return shippedWords(shippedFolder());
}
