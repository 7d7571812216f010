import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openWindows, PHONE, type Window, wider, type Windows } from './windows.ts';

/** What the gate plays of the page: that it lives, that two people see one thing, and that a kill changes nothing they see. */
let windows: Windows;
let ana: Window;
let bob: Window;
beforeAll(async () => {
  windows = await openWindows();
  [ana, bob] = await Promise.all([windows.open('ana'), windows.open('bob', PHONE)]);
}, 300_000);
afterAll(() => windows?.close());
afterEach(() => {
  if (windows.faults.length > 0) throw new Error(windows.faults.join('\n'));
});

const restarts = (id: number): number =>
  windows.sandbox.hosting.countCalls('POST', new RegExp(`/${id}/restart$`));

test('one person restarts, and a second sees the same message end on a phone', async () => {
  await ana.types('/instances restart web-1');
  await Promise.all([ana, bob].map((one) => one.message(/Restarted web-1 \(101\)/).waitFor()));
  expect(await bob.log.getByRole('article').filter({ hasText: 'web-1' }).count()).toBe(1);
  expect(restarts(101)).toBe(1);
  expect(await wider(bob.page)).toEqual([]);
});

test('the bot is killed twice in the middle of a restart: one call, one card, one reply', async () => {
  const { sandbox } = windows;
  const kill = ana.page.getByRole('button', { name: 'Kill the bot, start it again' });
  const alive = (words: RegExp): Promise<void> =>
    ana.page.getByRole('status').filter({ hasText: words }).waitFor();
  sandbox.hosting.setBehavior(105, { powerMs: 12_000 });
  await ana.types('/instances restart db-1');
  await sandbox.slack.until(() => restarts(105) === 1);
  for (const times of ['once', '2 times']) {
    await alive(/The bot runs/);
    await kill.click();
    await alive(new RegExp(`The bot runs .*, killed ${times}`));
  }
  await bob.message(/Restarted db-1 \(105\)/).waitFor();
  await sandbox.settled(180_000);
  const about = sandbox.slack
    .channel('#ops')
    .messages.filter((one) => sandbox.slack.read(one).includes('db-1'));
  expect(about.map(({ isReply }) => isReply)).toEqual([false, true]);
  expect(restarts(105)).toBe(1);
  expect(
    await ana.page.getByRole('list', { name: 'Calls for a change' }).getByText('/105/restart').count(),
  ).toBe(1);
});
