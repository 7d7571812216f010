import { mkdirSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { endWithNpm } from '../cleanup.ts';
import { DEMO } from '../demo.ts';
import { buildSandboxBot } from '../start-bot.ts';
import { startChromium } from './chromium.ts';
import { openWeb, type WebSandbox } from './open-web.ts';

/** `npm run pictures`: takes the pictures of the pages in docs from the page of the demo, so that they show what there is. */
const FOLDER = 'docs/pictures';
const SCALE = 2;
/** The whole page is shown smaller than it is. */
const WHOLE_SCALE = 1.5;
const POWER_MS = 7_000;
const SETTLE_MS = 400;

async function takePictures(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  buildSandboxBot();
  const web = await openWeb({ ...DEMO, hosting: { powerMs: POWER_MS } }, 0);
  const browser = await startChromium();
  try {
    await web.sandbox.look();
    const open = async (who: string, width: number, height: number, scale = SCALE): Promise<Page> => {
      const context = await browser.newContext({
        viewport: { width, height },
        deviceScaleFactor: scale,
        colorScheme: 'light',
      });
      const page = await context.newPage();
      await page.goto(`${web.url}?as=${who}`);
      await page.getByRole('textbox', { name: 'Message #ops' }).waitFor();
      return page;
    };
    await takeAlert(web, await open('bob', 920, 640));
    await takeRestart(await open('ana', 920, 520));
    await takeUsage(await open('ana', 900, 900));
    await takeDeletion(await open('ana', 760, 560));
    await takePage(await open('bob', 1280, 720, WHOLE_SCALE));
  } finally {
    await browser.close();
    await web.close();
  }
}

async function takeRestart(page: Page): Promise<void> {
  await types(page, '/instances restart web-1');
  const card = message(page, 'Restarted');
  await card.waitFor();
  await take(card, 'restart');
}

async function takeUsage(page: Page): Promise<void> {
  await types(page, '/billing usage');
  const chart = page.getByRole('figure').last();
  await chart.waitFor();
  await take(chart, 'usage');
}

async function takeDeletion(page: Page): Promise<void> {
  await types(page, '/instances delete staging');
  const modal = page.getByRole('dialog');
  await modal.waitFor();
  await take(modal, 'deletion');
  await page.getByRole('button', { name: 'Cancel' }).click();
}

async function takeAlert({ sandbox }: WebSandbox, page: Page): Promise<void> {
  const { slack, hosting } = sandbox;
  hosting.setBalance('harbour', 1_900);
  // A look of a moment ago would be shown again.
  await sandbox.pass(0);
  await slack.until(() => slack.transcript('#ops').includes('The balance is'));
  const alert = message(page, 'The balance is');
  await alert.getByRole('button', { name: "I'm on it" }).click();
  await message(page, 'is on it').waitFor();
  await take(alert, 'alert');
}

/** The whole page, with what is behind the curtain beside it. */
async function takePage(page: Page): Promise<void> {
  await types(page, '/instances restart web-2');
  await message(page, 'Restarted web-2').waitFor();
  await page.mouse.move(0, 0);
  await page.waitForTimeout(SETTLE_MS);
  await page.screenshot({ path: `${FOLDER}/page.png` });
}

async function types(page: Page, line: string): Promise<void> {
  const composer = page.getByRole('textbox', { name: 'Message #ops' });
  await composer.fill(line);
  await composer.press('Enter');
}

function message(page: Page, words: string): Locator {
  return page.getByRole('log', { name: '#ops' }).getByRole('article').filter({ hasText: words }).last();
}

async function take(part: Locator, name: string): Promise<void> {
  // What is offered under the pointer stays out of it.
  await part.page().mouse.move(0, 0);
  // Fonts and pictures of signs come a moment after the words.
  await part.page().waitForTimeout(SETTLE_MS);
  await part.screenshot({ path: `${FOLDER}/${name}.png` });
}

endWithNpm();
takePictures().then(
  () => {
    process.stdout.write(`Took the pictures in ${FOLDER}.\n`);
    process.exit(0);
  },
  (error: unknown) => {
    process.stderr.write(`The pictures broke: ${String(error)}\n`);
    process.exit(1);
  },
);
