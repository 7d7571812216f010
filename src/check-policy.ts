import { readFileSync } from 'node:fs';
import { checkPolicy } from './app/policy-check.ts';

/** `npm run policy:check FILE`: says what a policy file fixes, or each fault with its line; with --explain, who may what. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const { lines, exitCode } = checkPolicy(process.argv.slice(2), readText);
(exitCode === 2 ? process.stderr : process.stdout).write(lines.map((line) => `${line}\n`).join(''));
process.exitCode = exitCode;
