import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWindows, type Window, type Windows } from './windows.ts';

/** Who types each line of the README's table, and what is typed in its place so that the next ones find what they are about. */
const PLAYED: Readonly<Record<string, readonly [who: string, line?: string]>> = {
  '/instances': ['ana'],
  '/instances show web-1': ['ana'],
  '/instances restart web-1': ['ana', '/instances restart web-1 --dry-run'],
  '/instances stop web-1 web-2': ['ana'],
  '/instances start web-1 for 4h': ['ana'],
  '/instances delete web-1': ['admin'],
  '/instances schedule web-1 stop at 20:00 mon-fri': ['ana'],
  '/instances watch name:prod-*': ['admin', '/instances watch name:web-*'],
  '/instances history web-1': ['ana'],
  '/instances save nightly = name:staging-*': ['ana'],
  '/addons web-1': ['ana'],
  '/addons add backup web-1': ['admin'],
  '/billing': ['fin'],
  '/billing usage by instance': ['fin'],
  '/billing transactions': ['fin'],
  '/billing buy-time': ['fin'],
  '/billing alerts': ['fin'],
  '/billing digest weekly mon 09:00': ['fin'],
  '/lamplighter operations': ['ana'],
  '/lamplighter access': ['admin'],
  '/lamplighter handover @bob': ['ana'],
  '/lamplighter oncall first @oncall': ['admin'],
  '/lamplighter can restart web-1': ['bob'],
  '/lamplighter rehearse restart web-1': ['ana'],
  '/lamplighter freeze until mon 08:00 "why"': ['admin'],
  '/lamplighter audit': ['admin'],
  '/lamplighter story web-1 since 23:00': ['ana'],
  '/lamplighter doctor': ['admin'],
  '/lamplighter help': ['bob'],
};

let windows: Windows;
const open = new Map<string, Window>();
beforeAll(async () => {
  windows = await openWindows();
  for (const [who] of Object.values(PLAYED)) if (!open.has(who)) open.set(who, await windows.open(who));
}, 180_000);
afterAll(() => windows?.close());

test('every line of the table is played', () => {
  const [, section = ''] = /## What to type\n([^]*?)\n## /.exec(readFileSync('README.md', 'utf8')) ?? [];
  const lines = [...section.matchAll(/^\| `(\/[^`]*)` /gm)].map(([, line]) => line);
  expect(lines).toEqual(Object.keys(PLAYED));
});

test.each(Object.entries(PLAYED))('%s', async (written, [who, line = written]) => {
  const { page, log, types } = open.get(who)!;
  const shown = await log.getByRole('article').count();
  await types(line);
  const modal = page.getByRole('dialog');
  const answer = log.getByRole('article').nth(shown);
  await modal.or(answer).first().waitFor();
  const said = (await modal.or(answer).first().textContent()) ?? '';
  expect(said).not.toMatch(/I don't know|went wrong|No results|failed with the error|role here/);
  if (await modal.isVisible()) await page.keyboard.press('Escape');
  await modal.waitFor({ state: 'detached' });
  expect(windows.faults).toEqual([]);
});
