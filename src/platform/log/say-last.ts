import { writeSync } from 'node:fs';

const [STDOUT, STDERR] = [1, 2] as const;

/** Says a last line on stderr, or where nobody hears that, on stdout. Never throws: a process that ends has nobody to tell. */
export function sayLast(line: string): void {
  for (const stream of [STDERR, STDOUT]) {
    try {
      writeSync(stream, `lamplighter: ${line}\n`);
      return;
    } catch {
      // The other one, or none.
    }
  }
}
