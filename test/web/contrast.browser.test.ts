import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { postAsBot } from './blocks.ts';
import { faint } from './contrast.ts';
import { openWindows, PHONE, type Window, type Windows } from './windows.ts';

let windows: Windows;
let ana: Window;
beforeAll(async () => {
  windows = await openWindows();
  ana = await windows.open('ana');
}, 180_000);
afterAll(() => windows?.close());
afterEach(() => {
  if (windows.faults.length > 0) throw new Error(windows.faults.join('\n'));
});

const isClear = async (where: string, { page } = ana): Promise<void> =>
  expect(await faint(page, where)).toEqual([]);

test('an empty channel, the tour, the troubles and what really is', async () => {
  await isClear('at first');
  await ana.page.getByText("The bot's record").click();
  await isClear('the record');
});

test('a conversation, with what is pointed at', async () => {
  const { page } = ana;
  await page.getByRole('button', { name: 'Lose the next answer' }).click();
  await page.getByRole('button', { name: 'Lose the next answer', pressed: true }).waitFor();
  await ana.types('/instances restart web-1');
  await page.getByText('answer lost').waitFor();
  await ana.types('@bob *bold* _italic_ `code` ~struck~ and https://example.test');
  await ana.message('italic').hover();
  await isClear('a message that is pointed at');
  await ana.message(/web-1/).getByRole('button', { name: /repl/ }).click();
  await page.getByRole('log', { name: 'Thread' }).getByRole('article').nth(1).waitFor();
  await isClear('a thread');
  await page.getByRole('button', { name: 'Close thread' }).click();
});

test('tables, charts, and what only one person sees', async () => {
  await ana.types('/billing transactions');
  await ana.log.getByRole('columnheader', { name: 'Amount' }).waitFor();
  await ana.types('/billing usage');
  await ana.log.getByRole('figure').waitFor();
  await isClear('money');
});

test('every kind of block and button', async () => {
  await postAsBot(windows.sandbox);
  const shown = ana.message('Folded up');
  for (const name of ['Primary', 'Danger', 'Elsewhere']) {
    await shown.getByRole(name === 'Elsewhere' ? 'link' : 'button', { name }).hover();
    await isClear(`${name} that is pointed at`);
  }
  await shown.getByRole('link', { name: 'Elsewhere' }).click();
  await ana.page.getByRole('alert').waitFor();
  await isClear('what Slack would do');
});

test('a menu, a picker and what can be typed', async () => {
  const { page, composer } = ana;
  await ana.types('/billing');
  await ana.message(/💰/).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem').first().hover();
  await isClear('a menu');
  await ana.types('/instances');
  await ana
    .message(/instances/)
    .getByRole('combobox')
    .first()
    .click();
  await page.getByRole('listbox', { name: 'Options' }).getByRole('option').nth(1).hover();
  await isClear('a picker');
  await composer.fill('/instances ');
  await page.getByRole('listbox', { name: 'Commands' }).getByRole('option').nth(1).hover();
  await isClear('commands');
  await composer.fill('');
});

test('a modal with what is wrong in it', async () => {
  const { page } = ana;
  await ana.types('/instances delete web-2');
  const modal = page.getByRole('dialog');
  await modal.getByRole('button', { name: 'Delete' }).click();
  await modal.getByRole('alert').waitFor();
  await isClear('a modal');
  await page.keyboard.press('Escape');
});

test('the Home, and the conversation with the bot', async () => {
  const { page } = ana;
  await page.getByRole('button', { name: 'Lamplighter Home' }).click();
  await page.getByRole('region', { name: 'Home' }).getByText(/💰/).waitFor();
  await isClear('Home');
  await page.getByRole('button', { name: 'Lamplighter messages' }).click();
  await isClear('the conversation with the bot');
  await page.getByRole('button', { name: 'attic' }).click();
  await isClear('an archived channel');
});

test('a phone, with its list of channels', async () => {
  const phone = await windows.open('bob', PHONE);
  await phone.message(/web-1/).waitFor();
  await isClear('a phone', phone);
  await phone.page.getByRole('button', { name: 'Channels' }).click();
  await isClear('the channels of a phone', phone);
});
