import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compare, parseAmount, toDecimal, ZERO } from '../../../src/core/money/amount.ts';
import { chargesOf } from '../../../src/features/billing/ledger/charges.ts';
import { totalOf } from '../../../src/features/billing/ledger/daily-costs.ts';
import { daySchema } from '../../../src/features/billing/ledger/day.ts';
import {
  chargedMonth,
  comparedWith,
  invoicedFor,
} from '../../../src/features/billing/postpaid/charged-month.ts';
import type { Charge } from '../../../src/platform/hosting/month.ts';
import { runs } from '../../support/runs.ts';

const cents = fc
  .integer({ min: -100_000, max: 1_000_000 })
  .map((of) => toDecimal({ units: BigInt(of), scale: 2 }));
const charge: fc.Arbitrary<Charge> = fc.record(
  {
    id: fc.uuid(),
    name: fc.constantFrom('web-1', 'web-2', 'backup', ''),
    product: fc.constantFrom('Droplets', 'Volumes', 'not_listed', '__proto__'),
    amount: cents,
    instanceId: fc.constantFrom('1', '2'),
  },
  { requiredKeys: ['id', 'name', 'product', 'amount'] },
);

it('of a month, the parts come to exactly what the service counts, and the ledger can keep them', () => {
  fc.assert(
    fc.property(cents, fc.array(charge, { maxLength: 12 }), (total, list) => {
      const charges = chargesOf(total, list, 1);
      if (!charges) return false;
      daySchema.parse({ charges });
      return compare(totalOf(charges.used), parseAmount(total) ?? ZERO) === 0;
    }),
    { numRuns: runs(2_000) },
  );
  expect(chargesOf('a lot', [], 1)).toBeUndefined();
});

it.each([
  ['2026-11-19', '2026-10-19'],
  ['2026-11-30', '2026-10-31'],
  ['2026-03-30', '2026-02-28'],
  ['2026-02-28', '2026-01-31'],
  ['2026-01-05', '2025-12-05'],
])('%s is compared with %s', (day, with_) => {
  expect(comparedWith(day)).toBe(with_);
});

it('a month is its newest reading, whatever days before it nobody has read', () => {
  const on = (day: string, total?: string) => ({
    day,
    record: total === undefined ? {} : { charges: chargesOf(total, [], 1) },
  });
  const read = chargedMonth(
    [on('2026-11-01'), on('2026-11-02', '3'), on('2026-11-03'), on('2026-11-04', '9'), on('2026-11-05')],
    [on('2026-10-03', '7'), on('2026-10-04')],
    false,
  );
  expect(read?.newest).toMatchObject({ day: '2026-11-04', record: { booked: { total: '9' } } });
  expect(read?.before).toBeUndefined();
  expect(chargedMonth([on('2026-11-05')], [], false)).toBeUndefined();
  const october = [on('2026-10-04', '7'), on('2026-10-31', '30')];
  expect(chargedMonth([on('2026-11-04', '9')], october, false)?.before?.day).toBe('2026-10-04');
  // A part of one month is no match for a part of another that is called by its whole name.
  expect(chargedMonth([on('2026-11-04', '9')], october, true)?.before).toBeUndefined();
  expect(chargedMonth([on('2026-11-30', '29')], october, true)?.before?.day).toBe('2026-10-31');
});

it('the invoices of a month are those of the month after it, and no payments', () => {
  const bill = (at: string, type: string, amount?: string) => ({
    id: at,
    at,
    type,
    ...(amount ? { amount } : {}),
  });
  const bills = [
    bill('2026-12-01T00:00:00Z', 'Invoice', '5'),
    bill('2026-11-30T23:59:59Z', 'invoice', '0.50'),
    bill('2026-11-01T00:00:00Z', 'Invoice', '31.20'),
    bill('2026-11-02T00:00:00Z', 'Payment', '-31.20'),
    bill('2026-11-03T00:00:00Z', 'Invoice'),
    bill('some day', 'Invoice', '7'),
    bill('2026-10-31T23:59:59Z', 'Invoice', '9'),
  ];
  const read = bills.filter(({ at, amount }) => amount !== undefined && at !== 'some day');
  const invoiced = { amount: parseAmount('31.70'), count: 2, isPart: false };
  expect(invoicedFor('2026-10', { bills: read })).toMatchObject(invoiced);
  expect(invoicedFor('2026-08', { bills: read })).toBe('none');
  // One without an amount or a time may be of that month, and so may one that is missing in the list.
  const lacking = [
    read,
    [...read, bill('2026-11-03T00:00:00Z', 'Invoice')],
    [...read, bill('some day', 'Invoice', '7')],
  ];
  const incomplete = { read: 3, isCertain: true };
  for (const [index, some] of lacking.entries())
    expect(invoicedFor('2026-10', { bills: some, ...(index === 0 ? { incomplete } : {}) })).toMatchObject({
      ...invoiced,
      isPart: true,
    });
  expect(invoicedFor('2026-08', { bills: read, incomplete })).toBe('unread');
  expect(invoicedFor('2026-08', { bills })).toBe('unread');
});
