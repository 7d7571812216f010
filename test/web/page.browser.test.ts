import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { takeSeat } from '../../sandbox/seat.ts';
import { postAsBot } from './blocks.ts';
import { covered, cut, openWindows, PHONE, wider, type Window, type Windows } from './windows.ts';

let windows: Windows;
let ana: Window;
let bob: Window;
beforeAll(async () => {
  windows = await openWindows();
  [ana, bob] = await Promise.all([windows.open('ana'), windows.open('bob')]);
  await ana.types('/instances restart web-1');
  await bob.message(/Restarted web-1 \(101\)/).waitFor();
}, 180_000);
afterAll(() => windows?.close());
afterEach(() => {
  if (windows.faults.length > 0) throw new Error(windows.faults.join('\n'));
});

test('in an empty channel there is something to press, and a line that the bot does not read is said to be none', async () => {
  await ana.page.getByRole('button', { name: 'random' }).click();
  const random = ana.page.getByRole('region', { name: '#random' });
  await random.getByRole('button', { name: "@lamplighter what's down?" }).waitFor();
  await random.getByRole('textbox').fill('restart web-1');
  await ana.page.keyboard.press('Enter');
  await ana.page.getByRole('alert').filter({ hasText: 'begin with @lamplighter' }).waitFor();
  await ana.page.getByRole('button', { name: 'ops' }).click();
});

test('a thread opens beside the channel, with the end as a reply', async () => {
  await bob
    .message(/Restarted web-1/)
    .getByRole('button', { name: '1 reply' })
    .click();
  const thread = bob.page.getByRole('log', { name: 'Thread' });
  await thread.getByRole('article').nth(1).filter({ hasText: '@ana Restarted web-1' }).waitFor();
  await bob.page.getByRole('button', { name: 'Close thread' }).click();
  await thread.waitFor({ state: 'detached' });
});

test('a wrong name is refused under its field while the modal stays, and somebody else cancels the deletion', async () => {
  await ana.types('/instances delete web-2');
  const modal = ana.page.getByRole('dialog', { name: 'Delete an instance' });
  const field = modal.getByRole('textbox', { name: 'Type web-2 to delete it' });
  await modal.getByRole('button', { name: 'Delete' }).click();
  await modal.getByRole('alert').filter({ hasText: 'required' }).waitFor();
  await field.fill('web-3');
  await field.press('Enter');
  await modal.getByRole('alert').filter({ hasText: 'That is not its name' }).waitFor();
  expect(await field.inputValue()).toBe('web-3');
  await field.fill('web-2');
  await modal.getByRole('button', { name: 'Delete' }).click();
  await modal.waitFor({ state: 'detached' });
  await bob.message(/web-2/).getByRole('button', { name: 'Cancel' }).click();
  await ana.message(/Did not delete web-2 \(102\): @bob canceled it/).waitFor();
  expect(windows.sandbox.hosting.statusOf(102)).toBe('running');
});

test('a chart is drawn with its numbers, to the one person who asked', async () => {
  await ana.types('/billing usage');
  const answer = ana.message(/Only visible to you/);
  await answer.getByRole('figure').getByRole('listitem', { name: 'db-1: 210' }).waitFor();
  expect(await answer.getByRole('cell', { name: 'db-1 (105)' }).count()).toBe(1);
  expect(await bob.log.getByRole('figure').count()).toBe(0);
});

test('a picker offers what fits what was typed, and takes the choice', async () => {
  await ana.types('/instances show');
  const picker = ana.message(/Only visible to you/).getByRole('combobox');
  await picker.fill('work');
  const options = ana.page.getByRole('listbox', { name: 'Options' }).getByRole('option');
  await options.filter({ hasText: 'worker-1' }).waitFor();
  await options.nth(1).waitFor({ state: 'detached' });
  await picker.press('Enter');
  await ana.message(/worker-1 \(103\)/).waitFor();
});

test('a menu behind the three dots does what its line says', async () => {
  await ana.types('/billing');
  const answer = ana.message(/💰/);
  await answer.getByRole('button', { name: 'More actions' }).click();
  await answer.getByRole('menuitem', { name: 'Transactions' }).click();
  await ana.log
    .getByRole('columnheader', { name: 'Amount' })
    .or(ana.message(/daily charge/))
    .first()
    .waitFor();
});

test('Home opens, and what is pressed there is answered under the messages of the app', async () => {
  await ana.page.getByRole('button', { name: 'Lamplighter Home' }).click();
  const home = ana.page.getByRole('region', { name: 'Home' });
  await home.getByText(/💰/).waitFor();
  await home.getByRole('button', { name: 'Instances' }).click();
  await home.getByRole('button', { name: 'Messages new' }).click();
  await ana.page
    .getByRole('log', { name: 'Lamplighter' })
    .getByText(/\d+ instances/)
    .waitFor();
  await ana.page.getByRole('button', { name: 'ops' }).click();
});

test('a file of transactions is downloaded', async () => {
  await ana.types('/billing transactions --csv');
  await ana.page.getByRole('button', { name: 'Lamplighter messages' }).click();
  const link = ana.page.getByRole('link', { name: /Download/ });
  const [download] = await Promise.all([ana.page.waitForEvent('download'), link.click()]);
  expect(readFileSync(await download.path(), 'utf8')).toContain('daily_charge');
  await ana.page.getByRole('button', { name: 'ops' }).click();
});

test('commands are completed with their usage, by the keyboard alone', async () => {
  const { page, composer } = bob;
  await composer.focus();
  await page.keyboard.type('/inst');
  await page.getByRole('option', { name: '/instances' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('del');
  await page.getByRole('option', { name: /\/instances delete .*name/ }).waitFor();
  await page.keyboard.press('Tab');
  expect(await composer.inputValue()).toBe('/instances delete ');
  await page.keyboard.type('staging');
  await page.keyboard.press('Enter');
  const modal = page.getByRole('dialog');
  await modal.waitFor();
  await page.keyboard.press('Escape');
  await modal.waitFor({ state: 'detached' });
});

test('what is typed in the terminal is in the page, and what is typed in the page is in the terminal', async () => {
  const { slack } = windows.sandbox;
  const seat = takeSeat(slack, 'bob', '#ops');
  const before = seat.glance();
  await seat.act('the terminal says hello');
  await ana.message('the terminal says hello').waitFor();
  await ana.types('the page says hello');
  await slack.until(() => seat.glance() !== before);
  expect(slack.transcript('#ops', 'bob')).toContain('the page says hello');
});

test('acting as somebody else shows what they see, and nothing of the other', async () => {
  const { page } = bob;
  await page.getByLabel('Acting as', { exact: true }).selectOption('Ana Engineer');
  await bob.log.getByRole('figure').first().waitFor();
  await page.getByRole('button', { name: 'vault' }).waitFor();
  await page.getByLabel('Acting as', { exact: true }).selectOption('Bob Engineer');
  await page.getByRole('button', { name: 'vault' }).waitFor({ state: 'detached' });
  expect(await bob.log.getByRole('figure').count()).toBe(0);
});

test('a reader sorts a table, filters it and turns its pages, unfolds what is folded, and is told where a link leads', async () => {
  await postAsBot(windows.sandbox);
  const message = ana.message('Folded up');
  const names = (): Promise<string[]> => message.getByRole('rowheader').allTextContents();
  await message.getByRole('button', { name: 'Sort by A day' }).click();
  expect(await names()).toEqual(['web-10', 'web-9']);
  await message.getByRole('button', { name: 'Sort by Name' }).click();
  expect(await names()).toEqual(['db-1', 'web-9']);
  await message.getByRole('button', { name: 'Next' }).click();
  expect(await names()).toEqual(['web-10']);
  await message.getByRole('searchbox', { name: 'Filter Machines' }).fill('web');
  await message.getByRole('button', { name: 'Sort by Name' }).click();
  expect(await names()).toEqual(['web-10', 'web-9']);
  expect(await message.getByText('What was hidden').isVisible()).toBe(false);
  await message.getByText('Folded up').click();
  await message.getByText('What was hidden').waitFor();
  await message.getByRole('button', { name: 'Danger for web-9' }).waitFor();
  await message.getByRole('link', { name: 'Elsewhere' }).click();
  await ana.page.getByRole('alert').filter({ hasText: 'https://console.example/instances/9' }).waitFor();
});

test.each([
  ['a phone', PHONE],
  ['a narrow window', { width: 1180, height: 800 }],
])('on %s no column of a table is cut', async (_, size) => {
  const fin = await windows.open('fin', size);
  for (const line of ['/billing transactions', '/billing usage', '/lamplighter audit']) {
    await fin.types(line);
    await fin.log.getByRole('table').last().waitFor();
    expect(await cut(fin.page), line).toEqual([]);
  }
  await fin.page.context().close();
});

describe('on a phone', () => {
  test('what can be done with a message covers no words, its follow-ups included', async () => {
    const phone = await windows.open('bob', PHONE);
    const long = 'is what I say next, in a line that reaches as far as the right edge of the phone does';
    await phone.types('This');
    await phone.types(long);
    await phone.message(long).waitFor();
    expect(await covered(phone.page)).toEqual([]);
    await phone.page.context().close();
  });

  test('nothing is wider than the screen, in any place', async () => {
    const phone = await windows.open('ana', PHONE);
    const { page } = phone;
    const fits = async (where: string): Promise<void> => expect(await wider(page), where).toEqual([]);
    await fits('#ops');
    await phone
      .message(/Restarted web-1/)
      .getByRole('button', { name: '1 reply' })
      .click();
    await page.getByRole('log', { name: 'Thread' }).waitFor();
    await fits('a thread');
    await page.getByRole('button', { name: 'Close thread' }).click();
    await page.getByRole('button', { name: 'What really happened' }).click();
    await page.getByRole('complementary', { name: 'What really happened' }).waitFor();
    await fits('the curtain');
    await page.getByRole('button', { name: 'Close the curtain' }).click();
    await phone.types('/instances delete web-1');
    await page.getByRole('dialog').waitFor();
    await fits('a modal');
    await page.getByRole('button', { name: 'Cancel' }).click();
    for (const place of ['billing', 'Lamplighter Home', 'Lamplighter messages']) {
      await page.getByRole('button', { name: 'Channels' }).click();
      await fits('the sidebar');
      await page.getByRole('button', { name: place }).click();
      await page
        .getByRole('heading', { name: place.split(' ')[0] ?? '' })
        .first()
        .waitFor();
      await fits(place);
    }
    await page.context().close();
  });

  test('the bot suggests what to say in its own conversation, hears what is typed there, and in a thread', async () => {
    const phone = await windows.open('ana', PHONE);
    const { page } = phone;
    await page.getByRole('button', { name: 'Channels' }).click();
    await page.getByRole('button', { name: 'Lamplighter messages' }).click();
    const log = page.getByRole('log', { name: 'Lamplighter' });
    const said = log.getByRole('article');
    const prompts = page.getByRole('list', { name: 'Suggested prompts' }).getByRole('button');
    await prompts.nth(3).waitFor();
    expect(await wider(page)).toEqual([]);
    const before = await said.count();
    await prompts.first().tap();
    await said.nth(before + 1).waitFor();
    await page.getByRole('textbox', { name: 'Message Lamplighter' }).fill('Show worker-1');
    await page.getByRole('button', { name: 'Send' }).tap();
    const card = said.filter({ hasText: 'worker-1 (103) · running' }).last();
    await card.waitFor();
    await card.getByRole('button', { name: 'Reply in thread' }).tap();
    await page.getByRole('textbox', { name: 'Reply in thread' }).fill('show web-2');
    await page.getByRole('button', { name: 'Send' }).last().tap();
    const thread = page.getByRole('log', { name: 'Thread' }).getByRole('article');
    await thread.nth(2).filter({ hasText: 'web-2 (102) · running' }).waitFor();
    await page.context().close();
  });

  test('the shortcuts of a message and from anywhere can be used, and fit', async () => {
    const phone = await windows.open('bob', PHONE);
    const { page } = phone;
    const fits = async (where: string): Promise<void> => expect(await wider(page), where).toEqual([]);
    await phone.types('staging waits for worker-1');
    await phone
      .message('staging waits for worker-1')
      .getByRole('button', { name: 'Act on an instance' })
      .click();
    const answer = phone.message(/That message names 2 instances/);
    await answer.getByRole('button', { name: 'Show' }).first().waitFor();
    await fits('several instances');
    await page.getByRole('button', { name: 'Channels' }).click();
    await page.getByRole('button', { name: 'Find an instance' }).click();
    const modal = page.getByRole('dialog', { name: 'Find an instance' });
    await modal.getByRole('combobox').fill('worker-1');
    await page.getByRole('option', { name: /worker-1/ }).click();
    await fits('a picker in a modal');
    await modal.getByRole('button', { name: 'Show' }).click();
    await modal.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Channels' }).click();
    await page.getByRole('button', { name: 'Lamplighter messages' }).click();
    await page.getByRole('article').filter({ hasText: 'worker-1 (103) · running' }).waitFor();
    await page.context().close();
  });
});
