import { expect, it } from 'vitest';
import { letBeDue } from '../../../sandbox/phrases/due-bulletin.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { customer, instance } from '../../../sandbox/world.ts';
import { DIGEST } from '../../../src/features/billing/digest/record.ts';
import { readNews } from '../../support/sandbox.ts';
import { open } from '../bulletin/bulletins.ts';
import { asks } from '../watching.ts';

const TRANSACTIONS = /\/billing\/transactions$/;

/** The digest, once it is set and due. */
async function digestOf(sandbox: Sandbox): Promise<string> {
  await asks(sandbox, '/billing digest weekly mon 09:00');
  const before = readNews(sandbox).length;
  await letBeDue(sandbox, DIGEST);
  await sandbox.slack.until(() => readNews(sandbox).length > before, { timeoutMs: 60_000 });
  return readNews(sandbox).at(-1) ?? '';
}

function pagesRead(sandbox: Sandbox): string[] {
  return sandbox.hosting.calls
    .filter(({ path }) => TRANSACTIONS.test(path))
    .map(({ query }) => /page=(\d+)/.exec(query)?.[1] ?? '');
}

it('a digest comes from a service that offers no balance, and says so', async () => {
  expect(await digestOf(await open({ customer: 'no-balance' }))).toMatch(
    /In the last seven days (?:at least )?\d+ credits were used.*This hosting service doesn't offer a balance\./s,
  );
});

it('a digest says that nothing is paused or idle of a whole list only', async () => {
  const instances = Array.from({ length: 30 }, (_, index) =>
    instance(1_001 + index, `web-${index + 1}`, { status: index < 25 ? 'running' : 'stopped' }),
  );
  const sandbox = await open({
    hosting: {
      world: { customers: [customer('harbour', { balanceCredits: 90_000, instances })] },
      variant: { paging: { style: 'total alone', size: 25 } },
    },
  });
  for (const text of [await digestOf(sandbox), await digestOf(sandbox)]) {
    expect(text).toContain('I found no instance that is paused or idle.');
    expect(text).toContain('the service has 30 instances, and I could read only 25.');
  }
  expect(readNews(sandbox)).toHaveLength(2);
});

it('one amount that can not be read makes no digest start over: it is in no sum, and that is said', async () => {
  const sandbox = await open({ customer: 'garbled-charge' });
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
  const text = await digestOf(sandbox);
  expect(text).toMatch(/^In the last seven days [\d,]+ credits were used, /);
  expect(text).not.toContain('No figures');
  const pages = pagesRead(sandbox);
  expect(pages.length).toBeGreaterThan(104);
  const again = pages.filter((page, index) => pages.indexOf(page) !== index);
  expect([...new Set(again)]).toEqual(['17', '60']);
}, 90_000);
