import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Locator } from 'playwright-core';
import { until } from '../support/until.ts';
import { openWindows, type Window, type Windows } from './windows.ts';

let windows: Windows;
let ana: Window;
let bob: Window;
beforeAll(async () => {
  windows = await openWindows();
  [ana, bob] = await Promise.all([windows.open('ana'), windows.open('bob')]);
}, 180_000);
afterAll(() => windows?.close());
afterEach(() => {
  if (windows.faults.length > 0) throw new Error(windows.faults.join('\n'));
});

const button = (name: string): Locator => ana.page.getByRole('button', { name, exact: true });

test.each([
  ['Answer the next call 503', 'comes-back', 'stop', /Stopped comes-back/],
  [
    'Answer the next call slowly',
    'takes-anything',
    'restart',
    /Restarted takes-anything|takes-anything.*unknown/s,
  ],
  ['Slack loses an answer', 'goes-slowly', 'stop', /Stopped goes-slowly/],
])('%s', async (trouble, name, verb, end) => {
  await button(trouble).click();
  await ana.page.getByRole('button', { name: trouble, pressed: true }).waitFor();
  await ana.types(`/instances ${verb} ${name}`);
  await ana.page.getByRole('button', { name: trouble, pressed: false }).waitFor();
  await bob.message(end).waitFor();
  expect(await bob.log.getByRole('article').filter({ hasText: name }).count()).toBe(1);
});

test('Redis is stopped in the middle of a stop, and started again: it ends once', async () => {
  await windows.sandbox.settled(180_000);
  await ana.types('/instances stop says-429');
  await bob.message(/says-429/).waitFor();
  await button('Stop Redis, start it again').click();
  await ana.page.getByRole('status').filter({ hasText: 'Redis is stopped' }).waitFor();
  await ana.page.getByRole('status').filter({ hasText: 'Redis runs' }).waitFor();
  await bob.message(/Stopped says-429/).waitFor();
});

test("a day's cost is charged, and no clock is ahead of what the cards say", async () => {
  const { hosting } = windows.sandbox;
  const before = hosting.balanceOf('harbour');
  await button("Charge a day's cost").click();
  await until(() => hosting.balanceOf('harbour') < before);
  expect(Math.abs(hosting.now() - Date.now())).toBeLessThan(60_000);
  await ana.types('/billing');
  await ana.message(new RegExp(hosting.balanceOf('harbour').toLocaleString('en-US'))).waitFor();
});

test('the fleet is a large one at a press, and at another what it was', async () => {
  const { hosting } = windows.sandbox;
  const machines = ana.page.getByRole('group', { name: 'Machines' });
  const before = hosting.instancesOf('harbour').length;
  await machines.getByRole('button', { name: '230' }).click();
  await machines.getByRole('button', { name: '230', pressed: true }).waitFor();
  await ana.types('/instances');
  await ana.message(/230 instances/).waitFor();
  await machines.getByRole('button', { name: 'A few' }).click();
  await machines.getByRole('button', { name: 'A few', pressed: true }).waitFor();
  expect(hosting.instancesOf('harbour')).toHaveLength(before);
});

test('a key that is refused, and answers that are slow, last until they are ended', async () => {
  const api = ana.page.getByRole('group', { name: 'Hosting API' });
  await api.getByRole('button', { name: 'Refuses the key' }).click();
  await api.getByRole('button', { name: 'Refuses the key', pressed: true }).waitFor();
  await ana.types('/instances show web-2');
  await ana.message(/key/).waitFor();
  await api.getByRole('button', { name: 'Slow' }).click();
  await ana.page.getByText('each answer takes 5 seconds').waitFor();
  await api.getByRole('button', { name: 'Answers' }).click();
  await ana.page.getByRole('complementary', { name: 'Hosting API' }).waitFor({ state: 'detached' });
});

test("the bot's record of an operation says how it ended", async () => {
  await ana.page.getByText("The bot's record").click();
  const records = ana.page.getByLabel('Operation', { exact: true });
  const titles = await records.getByRole('option').allTextContents();
  await records.selectOption(titles.find((title) => title.includes('says-429')) ?? '');
  await ana.page.getByRole('definition').filter({ hasText: '"done"' }).first().waitFor();
});
