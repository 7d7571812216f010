import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Builds the sandbox's bot as a release had it, with today's packages, and gives its file. The release is the commit that stored what
 * its Redis held, see `npm run store`. Throws where this checkout has no such commit, or it can't be built.
 */
export function buildRelease(version: string): string {
  const stored = `test/deployment/stored/${version}.json`;
  const git = (...words: string[]): string =>
    execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1_000_000_000 });
  const commit = git('log', '--diff-filter=A', '-1', '--format=%H', '--', stored).trim();
  if (commit === '') throw new Error(`no commit of this checkout stored what a Redis of ${version} held`);
  const folder = `${ROOT}.build/release-${commit.slice(0, 12)}`;
  const bot = `${folder}/.build/sandbox/bot.js`;
  if (existsSync(bot)) return bot;
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1_000_000_000 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  if (!existsSync(`${folder}/node_modules`)) symlinkSync(`${ROOT}node_modules`, `${folder}/node_modules`);
  const words = ['run', '--silent', 'build', '--', '--mode', 'sandbox'];
  execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return bot;
}
