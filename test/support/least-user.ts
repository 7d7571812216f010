import { readFileSync } from 'node:fs';

const BLOCK = /redis-cli (ACL SETUSER lamplighter on [^`]+)```/;
const MORE = /A cluster needs `([^`]+)` as well/;

/** The user that docs/operating.md gives the bot, as words of `ACL`, its name first, and the password it has there. */
export function leastUser({ inCluster = false } = {}): {
  readonly rules: readonly string[];
  readonly login: string;
} {
  const text = readFileSync('docs/operating.md', 'utf8');
  const [, command = ''] = BLOCK.exec(text) ?? [];
  const [, more = ''] = inCluster ? (MORE.exec(text) ?? []) : [];
  const [, , ...rules] = `${command} ${more}`.match(/[^\s'\\]+/g) ?? [];
  return { rules, login: 'lamplighter:password' };
}
