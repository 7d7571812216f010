import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { add, type Amount, formatAmount, parseAmount, sum, ZERO } from '../../src/core/money/amount.ts';
import { PURE_RUNS, runs } from '../support/runs.ts';

function amount(decimal: string): Amount {
  const parsed = parseAmount(decimal);
  if (!parsed) throw new Error(`no amount: ${decimal}`);
  return parsed;
}

/** The same amount with twenty decimals, as an integer of BigInt's own. */
function exact(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const units = BigInt(whole) * 10n ** 20n + BigInt(fraction.padEnd(20, '0'));
  return decimal.startsWith('-') ? -units : units;
}

const atTwenty = ({ units, scale }: Amount): bigint => units * 10n ** BigInt(20 - scale);

const decimal = fc
  .tuple(
    fc.boolean(),
    fc.stringMatching(/^\d{1,40}$/),
    fc.option(fc.stringMatching(/^\d{1,20}$/), { nil: undefined }),
  )
  .map(
    ([isOwed, whole, fraction]) =>
      `${isOwed ? '-' : ''}${whole}${fraction === undefined ? '' : `.${fraction}`}`,
  );

describe('an amount is read', () => {
  test.each([
    ['1500', 1500n, 0],
    ['0', 0n, 0],
    ['-3', -3n, 0],
    ['12.30', 1230n, 2],
    ['-0.05', -5n, 2],
    ['-0', 0n, 0],
    ['007.5', 75n, 1],
    ['9007199254740993', 9007199254740993n, 0],
    ['0.1', 1n, 1],
  ])('%s', (text, units, scale) => expect(parseAmount(text)).toEqual({ units, scale }));

  test.each([
    undefined,
    '',
    ' ',
    ' 1',
    '1 ',
    '1\n',
    '+1',
    '1.',
    '.5',
    '1,5',
    '1,500',
    '1e3',
    '0x10',
    '--1',
    '- 1',
    '1.2.3',
    'NaN',
    'Infinity',
    '1n',
    '١',
    '１',
    '1'.repeat(41),
    `0.${'1'.repeat(21)}`,
  ])('and %j is none', (text) => expect(parseAmount(text)).toBeUndefined());

  test('exactly, with all its digits', () => {
    fc.assert(
      fc.property(decimal, (text) => atTwenty(amount(text)) === exact(text)),
      { numRuns: PURE_RUNS },
    );
  });

  test('where it is one, of at most forty digits before the point and twenty after it, and else not', () => {
    const text = fc.oneof(decimal, fc.string({ unit: fc.constantFrom(...'0123456789.-+e ,\n') }));
    fc.assert(
      fc.property(text, fc.constantFrom('', ' ', '\n', '-', '.', '0'), (one, after) => {
        const given = `${one}${after}`;
        return (parseAmount(given) !== undefined) === /^-?[0-9]{1,40}(\.[0-9]{1,20})?$/.test(given);
      }),
      { numRuns: PURE_RUNS },
    );
  });
});

describe('amounts are added', () => {
  test.each([
    [['0.1', '0.2'], '0.3'],
    [['9007199254740993', '1'], '9,007,199,254,740,994'],
    [['9007199254740993', '0.01'], '9,007,199,254,740,993.01'],
    [['12.30', '0.7'], '13'],
    [['-5', '3.25'], '-1.75'],
    [['1', '-1.00'], '0'],
    [['0.005', '-0.01'], '-0.005'],
    [[], '0'],
  ])('%j comes to %s', (parts, total) => expect(formatAmount(sum(parts.map(amount)))).toBe(total));

  test('exactly, in whatever order', () => {
    fc.assert(
      fc.property(fc.array(decimal, { maxLength: 8 }), (parts) => {
        const total = parts.reduce((before, part) => before + exact(part), 0n);
        expect(atTwenty(sum(parts.map(amount)))).toBe(total);
        expect(atTwenty(sum(parts.map(amount).toReversed()))).toBe(total);
      }),
      { numRuns: runs(20_000) },
    );
  });

  test('to what they were where one is zero', () => {
    fc.assert(
      fc.property(decimal, (text) => atTwenty(add(amount(text), ZERO)) === exact(text)),
      { numRuns: runs(20_000) },
    );
  });
});

describe('an amount is shown', () => {
  test.each([
    ['0', '0'],
    ['0.00', '0'],
    ['-0.00', '0'],
    ['999', '999'],
    ['1000', '1,000'],
    ['-1000', '-1,000'],
    ['-100', '-100'],
    ['1234567.5', '1,234,567.5'],
    ['12.30', '12.30'],
    ['12.00', '12'],
    ['0.05', '0.05'],
    ['-0.05', '-0.05'],
    ['0.123456', '0.123456'],
    ['1000.0001', '1,000.0001'],
    ['007', '7'],
  ])('%s as %s', (text, shown) => expect(formatAmount(amount(text))).toBe(shown));

  test('so that it can be read back as the same, with thousands apart', () => {
    fc.assert(
      fc.property(decimal, (text) => {
        const shown = formatAmount(amount(text));
        expect(shown).toMatch(/^-?(0|[1-9]\d{0,2}(,\d{3})*)(\.\d+)?$/);
        expect(exact(shown.replaceAll(',', ''))).toBe(exact(text));
      }),
      { numRuns: runs(20_000) },
    );
  });
});
