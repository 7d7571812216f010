import { expect, it } from 'vitest';
import { type Column, chartOf, csvOf, tableOf } from '../../src/core/lists/columns.ts';
import { parseAmount } from '../../src/core/money/amount.ts';
import { parseCsv } from '../billing/rfc4180.ts';

interface Cost {
  readonly name: string;
  readonly cost: string;
  readonly tier?: string;
}

const COLUMNS: readonly Column<Cost>[] = [
  { head: 'What', cell: ({ name }) => name, csv: ({ name }) => name },
  { head: 'Tier', cell: ({ tier }) => tier },
  { head: 'Cost', isNumber: true, cell: ({ cost }) => `about ${cost}`, csv: ({ cost }) => cost },
  { head: 'note', csv: () => undefined },
];
const ROWS: readonly Cost[] = [
  { name: '=1+1', cost: '-3.50' },
  { name: 'a, "b"', cost: '4' },
];

it('a table has the columns that some row has something in, and says which are numbers', () => {
  expect(tableOf(COLUMNS, ROWS)).toEqual({
    head: ['What', 'Cost'],
    rows: [
      ['=1+1', 'about -3.50'],
      ['a, "b"', 'about 4'],
    ],
    numbers: [1],
  });
  const tiered = tableOf(COLUMNS, [...ROWS, { name: 'db-1', cost: '1', tier: 'pro' }], 'Costs');
  expect(tiered).toMatchObject({ caption: 'Costs', head: ['What', 'Tier', 'Cost'], numbers: [2] });
});

it('a file has its own columns, and no cell of it starts a formula', () => {
  expect(parseCsv(csvOf(COLUMNS, ROWS))).toEqual([
    ['What', 'Cost', 'note'],
    ["'=1+1", '-3.50', ''],
    ['a, "b"', '4', ''],
  ]);
});

it('a picture has what costs something, and none is of a single bar', () => {
  const bars = {
    title: 'Costs',
    of: ({ name, cost }: Cost) => ({ label: name, amount: parseAmount(cost) }),
  };
  expect(chartOf(bars, ROWS)).toBeUndefined();
  expect(chartOf(bars, [...ROWS, { name: 'db-1', cost: '1' }])?.bars).toEqual([
    { label: 'a, "b"', value: 4 },
    { label: 'db-1', value: 1 },
  ]);
});
