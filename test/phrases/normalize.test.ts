import { describe, expect, it } from 'vitest';
import { normalize } from '../../sandbox/phrases/normalize.ts';

describe('what differs between two runs', () => {
  it.each([
    ['As of Nov 22, 2026 5:11 AM', 'As of Nov 18, 2026 9:41 AM'],
    ['As of Jan 1, 2027 12:00\u202fPM', 'As of Nov 18, 2026 9:41 AM'],
    ['Sunday, November 22, 2026', 'November 18, 2026'],
    ['2026-11-22 00:00 | daily charge', '2026-11-18 09:41 | daily charge'],
    ['Sun 2026-11-22 20:00 (UTC): stop', 'Wed 2026-11-18 09:41 (UTC): stop'],
    ['2026-11-22T00:00:00.000Z,daily_charge', '2026-11-18T09:41:00Z,daily_charge'],
    ['transactions-2026-11-22.csv', 'transactions-2026-11-18.csv'],
    ['stop at 03:00, every day (UTC)', 'stop at 20:00, every day (UTC)'],
    ['restart at 00:00 daily UTC', 'restart at 04:00 daily UTC'],
    ['start at 12:00 mon-fri UTC', 'start at 08:00 mon-fri UTC'],
    ['asked by @ana 1 second ago', 'asked by @ana 2 seconds ago'],
    ['asked by @ana 3 minutes ago', 'asked by @ana 2 seconds ago'],
    ['asked by @ana in 0 seconds', 'asked by @ana in 2 seconds'],
    ['running again, after 13 s.', 'running again, after 2 s.'],
    ['About 677 credits more by Nov 30, 2026', 'About 2,031 credits more by Nov 18, 2026'],
    ['Redis was at a-b_CkMQ:17.', 'Redis was at 9C2D41B7:1234.'],
    ['Request UjjPCkMQ', 'Request 9C2D41B7'],
    ['Request a-b_CkMQ', 'Request 9C2D41B7'],
    ['/archives/C0OPS000001/p1795338660123456)', '/archives/C0OPS000001/p1795000000000000)'],
    ['http://127.0.0.1:41234/upload', 'http://127.0.0.1:3000/upload'],
    ['[file: a.csv, 12,345 bytes]', '[file: a.csv, 1,234 bytes]'],
  ])('%s', (text, expected) => {
    expect(normalize(text)).toBe(expected);
    expect(normalize(expected)).toBe(expected);
  });
});

it.each([
  'web-1 (101) is running already. Nothing was done.',
  '2,915 credits · 677 credits a day · about 4 days left',
  '5,000 of 10,000 used',
  'schedule staging-1 stop at 25:00',
  'After you confirm, anyone who can start and stop instances can cancel it for 2 min.',
  'at least 3 transactions of the last 30 days',
])('leaves alone what a run has no say in: %s', (text) => {
  expect(normalize(text)).toBe(text);
});
