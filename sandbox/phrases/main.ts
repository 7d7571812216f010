import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endWithNpm } from '../cleanup.ts';
import { printPhrases } from './print-phrases.ts';

/** `npm run phrases`: writes what people read in every state. */
const FOLDER = 'docs/phrases';

endWithNpm();
printPhrases().then(
  (pages) => {
    rmSync(FOLDER, { recursive: true, force: true });
    mkdirSync(FOLDER);
    for (const [name, page] of pages) writeFileSync(join(FOLDER, name), page);
    process.stdout.write(`Wrote ${FOLDER}.\n`);
    process.exit(0);
  },
  (error: unknown) => {
    process.stderr.write(`The phrases broke: ${String(error)}\n`);
    process.exit(1);
  },
);
