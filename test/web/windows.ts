import type { Browser, Locator, Page } from 'playwright-core';
import { DEMO } from '../../sandbox/demo.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { startChromium } from '../../sandbox/web/chromium.ts';
import { openWeb } from '../../sandbox/web/open-web.ts';
import { FAST } from '../support/sandbox.ts';

/** How wide a phone is. */
export const PHONE = { width: 390, height: 844 };
const SCREEN = { width: 1440, height: 900 };
const LIMIT_MS = 180_000;

/** A person at a browser, by accessible names. */
export interface Window {
  readonly page: Page;
  readonly composer: Locator;
  readonly log: Locator;
  /** Types a line and sends it. */
  types(line: string): Promise<void>;
  /** A message in the channel that says these words. */
  message(words: string | RegExp): Locator;
}

/** The demo with its page, and people before it, each in a browser of their own. */
export interface Windows {
  readonly sandbox: Sandbox;
  open(who: string, size?: { width: number; height: number }): Promise<Window>;
  /** What no window may ever have: errors in the console, and requests to elsewhere. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

export async function openWindows(): Promise<Windows> {
  const [browser, web] = await Promise.all([startChromium(), openWeb(options(), 0)]);
  const faults: string[] = [];
  return {
    sandbox: web.sandbox,
    faults,
    open: (who, size = SCREEN) => openWindow(browser, `${web.url}?as=${who}`, size, faults),
    close: async () => {
      await browser.close();
      await web.close();
    },
  };
}

/** The demo as it is, but for waits that only a person needs, and a restart that lasts long enough to be disturbed. */
function options(): Parameters<typeof openWeb>[0] {
  return {
    ...DEMO,
    timings: { ...FAST, ...DEMO.timings, progressAfterMs: 0 },
    hosting: { powerMs: 4_000, deleteMs: 500, rateLimit: 100_000 },
  };
}

async function openWindow(
  browser: Browser,
  url: string,
  viewport: { width: number; height: number },
  faults: string[],
): Promise<Window> {
  const context = await browser.newContext({ viewport, acceptDownloads: true, hasTouch: viewport === PHONE });
  context.setDefaultTimeout(LIMIT_MS);
  const page = await context.newPage();
  const { origin } = new URL(url);
  page.on('console', (said) => {
    if (['error', 'warning'].includes(said.type())) faults.push(`console: ${said.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const asked = request.url();
    if (new URL(asked).origin !== origin && !asked.startsWith('data:')) faults.push(`request: ${asked}`);
  });
  await page.goto(url);
  const composer = page.getByRole('textbox', { name: 'Message #ops' });
  const log = page.getByRole('log', { name: '#ops' });
  await composer.waitFor();
  return {
    page,
    composer,
    log,
    types: async (line) => {
      await composer.fill(line);
      await composer.press('Enter');
    },
    message: (words) => log.getByRole('article').filter({ hasText: words }).last(),
  };
}

/** What stands out over the right edge of a window, as its tag and class; what scrolls in its own box is left out. */
export function wider(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isInBox = (element: Element): boolean =>
      element.closest('.table') !== null && !element.matches('.table');
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1 && !isInBox(element))
      .map((element) => `${element.tagName} ${element.className}`);
  });
}

/** The tables whose last column isn't wholly before the reader, by what stands in its head. */
export function cut(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.table')]
      .filter((table) => table.scrollWidth > table.clientWidth + 1)
      .map((table) => table.querySelector('tr > :last-child')?.textContent ?? ''),
  );
}

/** The words of messages on the screen over which something else stands. */
export function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isCovered = (node: Node, { left, right, top, bottom }: DOMRect): boolean =>
      [left + 1, right - 1].some((x) => {
        const y = (top + bottom) / 2;
        const log = node.parentElement?.closest('.log')?.getBoundingClientRect();
        if (!log || y < log.top || y > log.bottom) return false;
        return (
          document.elementFromPoint(x, y)?.closest('.content') !== node.parentElement?.closest('.content')
        );
      });
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (node) =>
      node.parentElement?.closest('.content') ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT,
    );
    const found: string[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const words = node;
      if ([...range.getClientRects()].some((place) => isCovered(words, place)))
        found.push(node.textContent ?? '');
    }
    return found;
  });
}
