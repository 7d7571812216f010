import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Locator } from 'playwright-core';
import { openWindows, PHONE, type Window, type Windows } from './windows.ts';

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
const calls = (): Locator => ana.page.getByRole('list', { name: 'Calls for a change' }).getByRole('listitem');

/** Presses a step of the tour once the one before it is through, and gives how many calls there were before. */
async function plays(title: string): Promise<number> {
  const before = await calls().count();
  await button(title).click();
  await ana.page.getByRole('complementary', { name: 'Tour' }).filter({ hasText: title }).waitFor();
  return before;
}

test('a restart', async () => {
  await plays('A restart');
  await bob.message(/Restarted web-1/).waitFor();
});

test('the same restart by two people is one call, and the second hears who was first', async () => {
  const before = await plays('The same restart by two people');
  await bob.message(/Only visible to you.*web-2.*@ana/s).waitFor();
  await bob.message(/Restarted web-2/).waitFor();
  expect(await calls().count()).toBe(before + 1);
});

test('a lost answer is said, and nothing is sent twice', async () => {
  const before = await plays('The answer gets lost');
  await calls().first().filter({ hasText: 'answer lost' }).waitFor();
  await bob.message(/worker-1.*(?:Restarted|unknown)|Restarted worker-1/s).waitFor();
  expect(await calls().count()).toBe(before + 1);
});

test('a deletion is canceled, and the service is asked for nothing', async () => {
  const before = await plays('A deletion, canceled');
  await ana.message(/Did not delete staging \(104\): @bob canceled it/).waitFor();
  expect(await calls().count()).toBe(before);
});

test('the balance runs low, and the channel hears of it', async () => {
  await plays('The balance runs low');
  await bob
    .message(/The balance is/)
    .getByRole('button', { name: "I'm on it" })
    .waitFor();
});

test('the hosting API is down, which the bot says and the page, until it is to answer again', async () => {
  const before = await plays('The hosting API is down');
  const notice = bob.page.getByRole('complementary', { name: 'Hosting API' });
  await notice.filter({ hasText: 'is down' }).waitFor();
  await ana.message(/Only visible to you.*doesn't answer.*23 instances/s).waitFor();
  expect(await calls().count()).toBe(before);
  await notice.getByRole('button', { name: 'Have it answer again' }).click();
  await notice.waitFor({ state: 'detached' });
  await ana.types('/instances show web-1');
  await ana.message(/web-1 \(101\) · running/).waitFor();
});

test('on a phone what one sees stays explained when its list has closed', async () => {
  const phone = await windows.open('ana', PHONE);
  await phone.page.getByRole('button', { name: 'What really happened' }).click();
  await phone.page.getByRole('button', { name: 'The hosting API is down' }).click();
  const guide = phone.page.getByRole('complementary', { name: 'Tour' });
  await guide.getByText('Ana lists the machines').waitFor();
  await phone.page.getByRole('button', { name: 'Have it answer again' }).click();
  await guide.getByRole('button', { name: /^Next: / }).waitFor();
  await guide.getByRole('button', { name: 'Close the tour' }).click();
  await guide.waitFor({ state: 'detached' });
  await phone.page.context().close();
});

test('the bot is killed in the middle of a restart, which ends all the same', async () => {
  const before = await plays('Kill the bot in the middle of a restart');
  await ana.page.getByRole('status').filter({ hasText: 'killed once' }).waitFor();
  await bob.message(/Restarted db-1/).waitFor();
  expect(await calls().count()).toBe(before + 1);
});
