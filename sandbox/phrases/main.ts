import { writeFileSync } from 'node:fs';
import { endWithNpm } from '../cleanup.ts';
import { printPhrases } from './print-phrases.ts';

/** `npm run phrases`: writes what people read in every state. */
const PAGE = 'docs/phrases.md';

endWithNpm();
printPhrases().then(
  (page) => {
    writeFileSync(PAGE, page);
    process.stdout.write(`Wrote ${PAGE}.\n`);
    process.exit(0);
  },
  (error: unknown) => {
    process.stderr.write(`The phrases broke: ${String(error)}\n`);
    process.exit(1);
  },
);
