import { expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { answerTo, play } from '../support/sandbox.ts';
import { parseCsv } from './rfc4180.ts';

const asked = (sandbox: Sandbox, words: string): Promise<string> =>
  answerTo(sandbox, 'fin', `/billing transactions ${words}`);

it('one amount that can not be read spoils neither the table nor the file, and is in no sum', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance' }, customer: 'garbled-charge' });
  const noSum =
    "1 amount can't be read, so it is in no sum: the others come to 1,000 added and 100 used. I can't tell whether all of it adds up.";
  const table = await asked(sandbox, '');
  expect(table).toMatch(/addon charge +\| can't be read +\| \d+ +\| Add-on llm: by use/);
  expect(table).toContain(noSum);
  expect(table).not.toContain('before,');

  const said = await asked(sandbox, '--csv');
  expect(said).toContain(noSum);
  expect(said).toContain("1 row has an empty amount in the file, because it can't be read.");
  expect(said).not.toContain('The rows add up');
  const [message] = sandbox.slack.person('fin').dms;
  const rows = parseCsv(message?.files[0]?.bytes.toString('utf8') ?? '');
  expect(rows.filter(([, , type, amount]) => type === 'addon_charge' && amount === '')).toHaveLength(1);
  expect(rows.every((row) => row.length === rows[0]?.length)).toBe(true);
});

it('an answer that is no list is a fault still', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance' }, customer: 'garbled-charge' });
  sandbox.hosting.failNext({ path: /transactions$/ }, { answer: 200, done: true, body: '{"data": "none"}' });
  expect(await asked(sandbox, '')).toContain("gave an answer that I can't read");
});

it('what is as long as a page is cut in its cell, so that Slack takes the table', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance' } });
  const data = Array.from({ length: 20 }, (_, index) => ({
    id: index,
    type: 'x'.repeat(1_000),
    amount: -1,
    created_at: '2026-11-20T00:00:00Z',
  }));
  sandbox.hosting.failNext(
    { path: /transactions$/ },
    { answer: 200, done: true, body: JSON.stringify({ data, meta: { page: 1, total_pages: 1 } }) },
  );
  expect(await asked(sandbox, '')).toMatch(/\| x{79}… +\| -1 /);
});

it.each([
  ['no id', (index: number) => ({ description: `Charge ${index}` })],
  ['an id that is null', (index: number) => ({ id: null, description: `Charge ${index}` })],
  ['an empty id', (index: number) => ({ id: '', instance_id: `i-${index}`, description: `Charge ${index}` })],
  ['one id for all', (index: number) => ({ id: 7, amount: -index, description: `Charge ${index}` })],
  ['nothing that tells them apart', () => ({ description: 'Charge' })],
])('transactions with %s are all shown', async (_, own) => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance' } });
  const data = [1, 2, 3].map((index) => ({
    type: 'daily_charge',
    amount: -5,
    created_at: '2026-11-20T00:00:00Z',
    ...own(index),
  }));
  sandbox.hosting.failNext(
    { path: /transactions$/ },
    { answer: 200, done: true, body: JSON.stringify({ data, meta: { page: 1, total_pages: 1 } }) },
  );
  const table = await asked(sandbox, '');
  expect(table.match(/\| Charge/g)).toHaveLength(3);
});
