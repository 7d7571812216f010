import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openWindows, PHONE, wider, type Windows } from './windows.ts';

let windows: Windows;
beforeAll(async () => {
  windows = await openWindows();
}, 180_000);
afterAll(() => windows?.close());
afterEach(() => {
  if (windows.faults.length > 0) throw new Error(windows.faults.join('\n'));
});

test.each([
  ['a wide screen', 'ana', 101, 'web-1', undefined],
  ['a phone', 'bob', 102, 'web-2', PHONE],
])(
  'on %s somebody asks Slackbot, presses what it proposes, and reads the end',
  async (_, who, id, name, size) => {
    const { page } = await windows.open(who, size);
    const fits = async (where: string): Promise<void> => expect(await wider(page), where).toEqual([]);
    if (size) await page.getByRole('button', { name: 'Channels' }).click();
    await page
      .getByRole('navigation', { name: 'Workspace' })
      .getByRole('button', { name: 'Slackbot' })
      .click();
    const said = page.getByRole('log', { name: 'Slackbot' }).getByRole('article', { name: 'Slackbot' });
    await page.getByRole('button', { name: 'what runs?' }).click();
    await said.filter({ hasText: `${name} (${id}): running` }).waitFor();
    await page.getByRole('textbox', { name: 'Message Slackbot' }).fill(`restart ${name} because deploy 41`);
    await page.keyboard.press('Enter');
    await said.filter({ hasText: `I proposed to restart ${name}` }).waitFor();
    await fits('Slackbot');
    await page.getByRole('button', { name: 'Messages new' }).click();
    const messages = page.getByRole('log', { name: 'Lamplighter' }).getByRole('article');
    const proposal = messages.filter({ hasText: `Slackbot proposes to restart ${name} (${id})` });
    await proposal.getByRole('button', { name: 'Go ahead' }).waitFor();
    await fits('the proposal');
    expect(windows.sandbox.hosting.countCalls('POST', new RegExp(`/${id}/restart$`))).toBe(0);
    await proposal.getByRole('button', { name: 'Go ahead' }).click();
    await messages.filter({ hasText: `Restarted ${name} (${id})` }).waitFor();
    expect(windows.sandbox.hosting.countCalls('POST', new RegExp(`/${id}/restart$`))).toBe(1);
    await page
      .getByRole('navigation', { name: 'Lamplighter' })
      .getByRole('button', { name: 'Slackbot' })
      .click();
    await page.getByRole('button', { name: 'what became of it?' }).click();
    await said.filter({ hasText: `@${who} went ahead with it. It is done.` }).waitFor();
    await page.context().close();
  },
);

test('a bot that was killed answers agents where it did before', async () => {
  const { page } = await windows.open('ana');
  const agentsUrl = windows.sandbox.slack.agentsUrl();
  await page.getByRole('button', { name: 'Kill the bot, start it again' }).click();
  await page
    .getByRole('status')
    .filter({ hasText: /The bot runs .*, killed once/ })
    .waitFor();
  expect(windows.sandbox.slack.agentsUrl()).toBe(agentsUrl);
  expect((await fetch(agentsUrl, { method: 'POST' })).status).toBe(401);
  await page.context().close();
});
