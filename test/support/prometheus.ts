import { spawnSync } from 'node:child_process';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { urlOf } from './sandbox.ts';

/** Whether Prometheus' own tool is here, which `.ci/run` installs. */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** What promtool has to say, and 0 where it has nothing against it. */
export function promtool(
  args: readonly string[],
  input = '',
): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}

/** What the bot in this process, or the one that listens at `url`, tells Prometheus. */
export async function scrape(sandbox: Sandbox, url = urlOf(sandbox, '/metrics')): Promise<string> {
  return (await fetch(url)).text();
}

/** The lines of one metric, or of one of its series, as "labels value". */
export function linesOf(text: string, name: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return lines.map((line) => line.slice(name.length));
}

/** The value of the one series of a metric whose labels hold `label`; undefined where there is none. */
export function valueOf(text: string, name: string, label = ''): number | undefined {
  const line = linesOf(text, name).find((one) => one.includes(label));
  return line === undefined ? undefined : Number(line.replace(/^.* /, ''));
}
