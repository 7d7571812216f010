import { expect, it } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../../sandbox/sandbox.ts';
import { letDigestBeDue } from '../../../sandbox/phrases/due-digest.ts';
import { answerTo, play, readNews } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';

const OPS = 'C0OPS000001';
const TRANSACTIONS = /\/billing\/transactions$/;

/** A bot whose figures may stand in #ops. */
function open(options: SandboxOptions = {}): Promise<Sandbox> {
  return play({
    ...options,
    env: { LAMPLIGHTER_EVERYONE: 'finance', BILLING_CHANNELS: OPS },
    timings: { billingCheckEveryMs: 60_000, ...options.timings },
  });
}

/** Sets a digest, and makes it some Monday, 09:00. */
async function isDue(sandbox: Sandbox): Promise<void> {
  await answerTo(sandbox, 'fin', '/billing digest weekly mon 09:00');
  await letDigestBeDue(sandbox);
}

/** The first message in #ops. */
async function digestOf(sandbox: Sandbox): Promise<string> {
  await sandbox.slack.until(() => readNews(sandbox).length > 0, { timeoutMs: 60_000 });
  return readNews(sandbox)[0] ?? '';
}

function pagesRead(sandbox: Sandbox): string[] {
  return sandbox.hosting.calls
    .filter(({ path }) => TRANSACTIONS.test(path))
    .map(({ query }) => /page=(\d+)/.exec(query)?.[1] ?? '');
}

it('one amount that can not be read makes no digest start over: it is in no sum, and that is said', async () => {
  const sandbox = await open({ customer: 'garbled-charge' });
  await isDue(sandbox);
  const text = await digestOf(sandbox);
  expect(text).toMatch(/In the last seven days at least 70 credits were used/);
  expect(text).toContain("I couldn't read the amount or time of 1 transaction, so it isn't in any sum.");
  expect(pagesRead(sandbox)).toEqual(['1']);
});

it('a digest over more than 10,000 transactions comes, and no page is read twice however often it fails', async () => {
  const sandbox = await open({ customer: 'busy-fortnight', bot: false, timings: { billingRetryMs: 200 } });
  const { hosting } = sandbox;
  const onPage = (page: number): { path: RegExp; query: string } => ({
    path: TRANSACTIONS,
    query: `page=${page}&per_page=100`,
  });
  hosting.failNext(onPage(17), { answer: 200, done: true, body: 'nonsense' });
  // A read is asked three times before a rate limit counts.
  hosting.failNext(onPage(60), { answer: 429, done: false, retryAfterSeconds: 1 }, 3);
  await sandbox.startBot();
  await isDue(sandbox);
  const text = await digestOf(sandbox);
  expect(text).toMatch(/^In the last seven days [\d,]+ credits were used, /);
  expect(text).not.toContain('No figures');
  const pages = pagesRead(sandbox);
  expect(pages.length).toBeGreaterThan(104);
  const again = pages.filter((page, index) => pages.indexOf(page) !== index);
  expect([...new Set(again)]).toEqual(['17', '60']);
}, 90_000);

it('a service without transactions is said to have none at once', async () => {
  const sandbox = await open({ customer: 'no-billing' });
  await isDue(sandbox);
  expect(await digestOf(sandbox)).toMatch(
    /^🗞️ This week's digest couldn't be made: the hosting service doesn't offer a list of transactions\. The next one comes /,
  );
});

it('what fails again and again is said once, with the reason and the next date, and not tried without end', async () => {
  const sandbox = await open();
  sandbox.hosting.breakBalance('harbour', { answer: 200, done: true, body: '{}' });
  await isDue(sandbox);
  expect(await digestOf(sandbox)).toMatch(
    /^🗞️ This week's digest couldn't be made: the balance couldn't be read, 5 times in a row\. The next one comes [A-Z].*\.$/,
  );
  expect(await answerTo(sandbox, 'fin', '/billing digest')).toMatch(/next [A-Z][a-z]{2} \d/);
  sandbox.hosting.mendBalance('harbour');
  await letDigestBeDue(sandbox);
  await sandbox.slack.until(() => readNews(sandbox).length > 1);
  expect(readNews(sandbox)[1]).toContain('credits were used');
  expect(readNews(sandbox)).toHaveLength(2);
});

it('a digest waits until what the service has charged is read, and is whole then', async () => {
  const sandbox = await open({ bot: false });
  const mend = sandbox.hosting.failNext({ path: TRANSACTIONS }, 503, 1_000);
  await sandbox.startBot();
  await isDue(sandbox);
  await sandbox.slack.until(() => pagesRead(sandbox).length > 3);
  await until(async () =>
    (await answerTo(sandbox, 'fin', '/billing digest')).includes(
      "I'm still reading what the service has charged",
    ),
  );
  expect(readNews(sandbox)).toEqual([]);
  mend();
  expect(await digestOf(sandbox)).toMatch(/^In the last seven days [\d,]+ credits were used, /);
});

it('a digest that has waited for two hours says what it knows, and what it does not', async () => {
  const sandbox = await open({ bot: false });
  sandbox.hosting.failNext({ path: TRANSACTIONS }, 503, 1_000);
  await sandbox.startBot();
  await answerTo(sandbox, 'fin', '/billing digest weekly mon 09:00');
  await letDigestBeDue(sandbox, 2 * 3_600_000);
  const text = await digestOf(sandbox);
  expect(text).toContain("I don't know yet what was used in the last seven days.");
  expect(text).toContain('6,300 credits');
  expect(text).toMatch(/No figures for .+: they are in no sum\./);
  expect(await answerTo(sandbox, 'fin', '/billing digest')).not.toContain('being made');
});
