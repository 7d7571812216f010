import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWindows, type Window, type Windows } from './windows.ts';

/** What is typed for each line of the README's page of commands, and by whom it is meant to be. */
const PLAYED: Readonly<Record<string, readonly [who: string, line: string]>> = {
  '/instances': ['ana', '/instances'],
  '/instances show web-1': ['ana', '/instances show web-1'],
  '/instances start|stop|restart web-1': ['ana', '/instances restart web-1 --dry-run'],
  '/instances stop web-1 web-2': ['ana', '/instances stop web-1 web-2'],
  '/instances schedule web-1 stop at 20:00 mon-fri': [
    'ana',
    '/instances schedule web-1 stop at 20:00 mon-fri',
  ],
  '/instances schedules': ['ana', '/instances schedules'],
  '/instances delete web-1': ['admin', '/instances delete web-1'],
  '/instances history web-1': ['ana', '/instances history web-1'],
  '/instances watch name:prod-*': ['admin', '/instances watch name:web-*'],
  '/instances save nightly = name:staging-*': ['ana', '/instances save nightly = name:staging-*'],
  '/addons [web-1]': ['ana', '/addons web-1'],
  '/addons add backup web-1': ['admin', '/addons add backup web-1'],
  '/addons remove backup web-1': ['admin', '/addons remove llm web-1'],
  '/billing': ['fin', '/billing'],
  '/billing usage [by instance|addon]': ['fin', '/billing usage by addon'],
  '/billing transactions': ['fin', '/billing transactions --last 30d'],
  '/billing buy-time': ['fin', '/billing buy-time'],
  '/billing alerts': ['fin', '/billing alerts'],
  '/billing digest weekly mon 09:00 Europe/Madrid': ['fin', '/billing digest weekly mon 09:00 Europe/Madrid'],
  '/lamplighter operations': ['ana', '/lamplighter operations'],
  '/lamplighter access': ['admin', '/lamplighter access'],
  '/lamplighter can restart web-1': ['bob', '/lamplighter can restart web-1'],
  '/lamplighter freeze until mon 08:00 "why"': ['admin', '/lamplighter freeze until mon 08:00 "why"'],
  '/lamplighter audit [@ana] [web-1]': ['admin', '/lamplighter audit @ana web-1'],
  '/lamplighter doctor': ['admin', '/lamplighter doctor'],
  '/lamplighter help [topic]': ['bob', '/lamplighter help'],
};

let windows: Windows;
const open = new Map<string, Window>();
beforeAll(async () => {
  windows = await openWindows();
  for (const [who] of Object.values(PLAYED)) if (!open.has(who)) open.set(who, await windows.open(who));
}, 180_000);
afterAll(() => windows?.close());

test('every line of the page of commands is played', () => {
  const page = /## What you can say\n\n```\n([^`]*)```/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
  const heads = page
    .split('\n')
    .filter((line) => line.startsWith('/'))
    .map((line) => line.split(/\s{2,}/)[0]);
  expect(heads).toEqual(Object.keys(PLAYED));
});

test.each(Object.entries(PLAYED))('%s', async (_head, [who, line]) => {
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
