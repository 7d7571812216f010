import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatAmount, parseAmount, ZERO } from '../../src/core/money/amount.ts';
import { readNumber } from '../../src/core/money/typed.ts';
import { runs } from '../support/runs.ts';
import { asks, watch } from './watching.ts';

const SELDOM = { timings: { billingCheckEveryMs: 3_600_000 } };

it('a threshold is understood as people write numbers, and asked for where it can be two', async () => {
  const sandbox = await watch(SELDOM);
  const cases: [string, RegExp][] = [
    ['1.000', /1\.000 can be 1 or 1,000\. Write 1 or 1000\. Nothing was changed\./],
    ['1,000', /1,000 can be 1 or 1,000\. Write 1 or 1000\./],
    ['1.500d', /1\.500 can be 1\.5 or 1,500\. Write 1\.5d or 1500d\./],
    ['1000', /warn below 1,000 credits/],
    ['1 000', /warn below 1,000 credits/],
    ['1’000', /warn below 1,000 credits/],
    ['1.000,50', /warn below 1,000\.50 credits/],
    ['1,000.5', /warn below 1,000\.5 credits/],
    ['1.000.000', /warn below 1,000,000 credits/],
    ['12.5', /warn below 12\.5 credits/],
    ['1.5d', /warn below 1\.5 days/],
    ['1,5d', /warn below 1\.5 days/],
    ['5 d', /warn below 5 days/],
    ['5 days', /warn below 5 days/],
    ['5days', /warn below 5 days/],
    ['５ｄ', /warn below 5 days/],
    ['0', /I can't read "0" as a threshold/],
    ['0,0d', /I can't read "0,0d" as a threshold/],
    ['-1', /I can't read "-1" as a threshold/],
    ['1e3', /I can't read "1e3" as a threshold/],
    ['1.00.000', /I can't read "1\.00\.000" as a threshold/],
    ['5d please', /I can't read "5d please" as a threshold/],
    ['5d warn 6d', /warn is there twice, so nothing was changed/],
    ['5d alarm 2d', /I can't read "5d alarm 2d" as a threshold/],
  ];
  for (const [typed, answer] of cases)
    expect(await asks(sandbox, `/billing alerts set warn ${typed}`), typed).toMatch(answer);
});

it('an amount that the bot wrote is read back as itself, or asked for', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.integer({ min: 0, max: 6 }), (units, scale) => {
      const written = formatAmount({ units, scale });
      const read = readNumber(written);
      return read.some((one) => formatAmount(parseAmount(one) ?? ZERO) === written);
    }),
    { numRuns: runs(2_000) },
  );
});

it('whatever is typed is one number, two, or none, each a decimal', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'0123456789.,_ -e１') }),
    fc.string({ unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(text, (typed) => {
      const read = readNumber(typed);
      return read.length <= 2 && read.every((one) => parseAmount(one) !== undefined);
    }),
    { numRuns: runs(5_000) },
  );
});
