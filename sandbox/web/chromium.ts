import { execFileSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';
import { onPath, quietly, runs } from '../programs.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const FONTS = ['fonts-liberation', 'fonts-noto-color-emoji'];
const INSTALL = ['apt-get', 'install', '-y', '--no-install-recommends', 'chromium', ...FONTS];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts a Chromium without a window, in a new folder of its own. Where there is none, it is installed with apt-get if that
 * needs no question. Throws a sentence with the line to type where it does.
 */
export async function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: FLAGS });
}

/**
 * Where Chromium is, installed where it was missing. Throws where it can't be installed, also because another process is at
 * it: a package manager lets only one in.
 */
export function findChromium(): string {
  const found = NAMES.map(onPath).find((path) => path !== undefined);
  if (found !== undefined) return found;
  const isRoot = process.getuid?.() === 0;
  const line = [...(isRoot ? [] : ['sudo']), ...INSTALL].join(' ');
  const canInstall = onPath('apt-get') !== undefined && (isRoot || runs('sudo', ['-n', 'true']));
  if (!canInstall) throw new Error(`No Chromium found. Install it with:  ${line}`);
  process.stderr.write(`No Chromium found, so: ${line}\n`);
  for (const words of [['apt-get', 'update', '-q'], INSTALL]) {
    const [program = '', ...args] = [...(isRoot ? [] : ['sudo', '-n']), ...words];
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env: quietly() });
  }
  const installed = NAMES.map(onPath).find((path) => path !== undefined);
  if (installed === undefined) throw new Error(`Still no Chromium after:  ${line}`);
  return installed;
}
