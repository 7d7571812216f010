import { expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { answeredWith, play } from '../support/sandbox.ts';

const TRANSACTIONS = /\/billing\/transactions$/;

/** A sandbox of the customer with a hundred thousand transactions, and the answer to a line. */
async function ask(line: string): Promise<{ sandbox: Sandbox; message: PostedMessage }> {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance' }, customer: 'long-history' });
  return { sandbox, message: await answeredWith(sandbox, 'fin', line) };
}

/** What the message says once its button "Older" has been answered. */
async function older({ slack }: Sandbox, message: PostedMessage): Promise<string> {
  const before = slack.read(message);
  await slack.person('fin').presses(message, 'Older');
  await slack.until(() => slack.read(message) !== before);
  return slack.read(message);
}

/** When each transaction on the screen was, in Unix ms. */
function times(screen: string): number[] {
  return [...screen.matchAll(/^ *(\d{4}-\d\d-\d\d) (\d\d:\d\d) /gm)].map(([, date, hour]) =>
    Date.parse(`${date}T${hour}Z`),
  );
}

it('the newest twenty of a hundred thousand are there at once, and the next twenty by a button', async () => {
  const { sandbox, message } = await ask('/billing transactions');
  const first = sandbox.slack.read(message);
  expect(first).toContain('20 transactions, newest first');
  expect(first).toContain('6,000 after.');
  expect(times(first)).toHaveLength(20);
  expect(sandbox.hosting.countCalls('GET', TRANSACTIONS)).toBe(1);
  const second = await older(sandbox, message);
  const opening = /([\d,]+) before/.exec(first)?.[1];
  expect(second).toContain(`${opening} after.`);
  expect(times(second)).toHaveLength(20);
  expect(sandbox.hosting.countCalls('GET', TRANSACTIONS)).toBe(2);
});

it('the button Newer goes back screen by screen to the newest, past what was bought meanwhile', async () => {
  const { sandbox, message } = await ask('/billing transactions');
  const { slack } = sandbox;
  const first = slack.read(message);
  const second = await older(sandbox, message);
  const third = await older(sandbox, message);
  sandbox.hosting.topUp('long-history', 1);
  const newer = async (): Promise<string> => {
    const before = slack.read(message);
    await slack.person('fin').presses(message, 'Newer');
    await slack.until(() => slack.read(message) !== before);
    return slack.read(message);
  };
  expect(times(third)).not.toEqual(times(second));
  expect(times(await newer())).toEqual(times(second));
  expect(await newer()).toMatch(/\+1 /);
  expect(times(slack.read(message)).slice(1)).toEqual(times(first).slice(0, 19));
  expect(slack.read(message)).not.toContain('Newer');
});

it('reading for what hardly occurs stops somewhere, says so, and goes on by the button', async () => {
  const { sandbox, message } = await ask('/billing transactions --type adjustment');
  expect(sandbox.slack.read(message)).toContain('I stopped reading here, because there are too many');
  expect(sandbox.hosting.countCalls('GET', TRANSACTIONS)).toBe(20);
  await sandbox.slack.person('fin').presses(message, 'Older');
  await sandbox.slack.until(() => sandbox.hosting.countCalls('GET', TRANSACTIONS) === 40);
});

it('nothing is shown twice or left out while new transactions arrive between one screen and the next', async () => {
  const { sandbox, message } = await ask('/billing transactions');
  const seen = times(sandbox.slack.read(message));
  for (let screen = 1; screen < 7; screen += 1) {
    sandbox.hosting.topUp('long-history', 1);
    sandbox.hosting.topUp('long-history', 1);
    seen.push(...times(await older(sandbox, message)));
  }
  const everyMs = 300_000;
  expect(seen).toEqual(Array.from({ length: 140 }, (_, index) => seen[0]! - index * everyMs));
});

it('nothing is shown twice when a transaction arrives while one screen is read', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance' }, customer: 'long-history' });
  sandbox.hosting.events.on('call', ({ path, query }) => {
    if (TRANSACTIONS.test(path) && query.startsWith('page=1&')) sandbox.hosting.topUp('long-history', 1);
  });
  const message = await answeredWith(sandbox, 'fin', '/billing transactions --type purchase');
  const seen = times(sandbox.slack.read(message));
  expect(sandbox.hosting.countCalls('GET', TRANSACTIONS)).toBeGreaterThan(1);
  expect(seen).toHaveLength(20);
  expect(new Set(seen).size).toBe(20);
});

it('a list that no longer has what was read last is not guessed on', async () => {
  const { sandbox, message } = await ask('/billing transactions');
  const other = { id: 1, type: 'purchase', amount: 5, created_at: '2026-01-01T00:00:00Z' };
  const body = JSON.stringify({ data: [other], meta: { page: 1, total_pages: 1 } });
  sandbox.hosting.failNext({ path: TRANSACTIONS }, { answer: 200, done: true, body });
  expect(await older(sandbox, message)).toContain(
    "The list has changed so much that I can't go on from where you were. Ask again",
  );
});
