import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Locator } from 'playwright-core';
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
const calls = (): Locator => ana.page.getByRole('list', { name: 'Calls for a change' }).getByRole('listitem');

/** Presses a step of the tour once the one before it is through, and gives how many calls there were before. */
async function plays(title: string): Promise<number> {
  const before = await calls().count();
  await button(title).click();
  return before;
}

describe('the tour, one press each:', () => {
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

  test('a deletion is cancelled, and the service is asked for nothing', async () => {
    const before = await plays('A deletion, cancelled');
    await ana.message(/Did not delete staging \(104\): @bob cancelled it/).waitFor();
    expect(await calls().count()).toBe(before);
  });

  test('the balance runs low, and the channel hears of it', async () => {
    await plays('The balance runs low');
    await bob
      .message(/The balance is/)
      .getByRole('button', { name: "I'm on it" })
      .waitFor();
  });

  test('the bot is killed in the middle of a restart, which ends all the same', async () => {
    const before = await plays('Kill the bot in the middle of a restart');
    await ana.page.getByRole('status').filter({ hasText: 'killed once' }).waitFor();
    await bob.message(/Restarted db-1/).waitFor();
    expect(await calls().count()).toBe(before + 1);
  });
});

describe('trouble with one press:', () => {
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
    await windows.sandbox.settled(60_000);
    await ana.types('/instances stop says-429');
    await bob.message(/says-429/).waitFor();
    await button('Stop Redis, start it again').click();
    await ana.page.getByRole('status').filter({ hasText: 'Redis is stopped' }).waitFor();
    await ana.page.getByRole('status').filter({ hasText: 'Redis runs' }).waitFor();
    await bob.message(/Stopped says-429/).waitFor();
  });

  test('a day passes at the hosting company', async () => {
    const before = windows.sandbox.hosting.now();
    await button('Let a day pass').click();
    await windows.sandbox.slack.until(() => windows.sandbox.hosting.now() - before > 86_400_000);
  });

  test("the bot's record of an operation says how it ended", async () => {
    await ana.page.getByText("The bot's record").click();
    const records = ana.page.getByLabel('Operation', { exact: true });
    const titles = await records.getByRole('option').allTextContents();
    await records.selectOption(titles.find((title) => title.includes('web-1')) ?? '');
    await ana.page.getByRole('definition').filter({ hasText: '"done"' }).first().waitFor();
  });
});
