import { expect, test } from 'vitest';
import { toDecimal } from '../../../src/core/money/amount.ts';
import { type Change, explain, type Explanation } from '../../../src/features/billing/why/explain.ts';
import { type Made, type MadeMonths, monthsOf } from './made.ts';

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed + 1);

test('what changed is among the first five, and no cause is told that is none', () => {
  const [lacking, wrong]: [string[], string[]] = [[], []];
  let [all, found] = [0, 0];
  for (const seed of SEEDS) {
    const months = monthsOf(seed);
    const told = explain(months.before, months.now, () => true);
    for (const change of told.changes)
      if (!isTrue(change, months)) wrong.push(`${seed} ${months.host}: ${wordsOf(change)}`);
    expect(restOf(told, months), `seed ${seed}`).toBeCloseTo(0, 6);
    // Where nobody looked, nobody can know.
    if (months.blindDays > 0) continue;
    for (const made of months.made) {
      all += 1;
      if (told.changes.some((change) => isOf(change, made))) found += 1;
      else
        lacking.push(
          `${seed} ${months.host}: ${JSON.stringify(made)} in ${told.changes.map(wordsOf).join('; ')} rest ${toDecimal(told.unexplained)}`,
        );
    }
  }

  expect(wrong).toEqual([]);
  expect(found / all).toBeGreaterThanOrEqual(0.95);
});

function isOf({ cause }: Change, made: Made): boolean {
  if (cause.kind !== made.kind) return false;
  if (made.kind === 'price') return cause.kind === 'price' && cause.tier === made.tier;
  return 'id' in cause && cause.id === made.id;
}

/** Whether what is told is so, by what was made and what nobody can see. */
function isTrue(
  { cause, amount }: Change,
  { made, truth, host, before, now, blindDays }: MadeMonths,
): boolean {
  const isMore = amount.units > 0n;
  const days = (side: 0 | 1): number => (side === 0 ? before : now).length;
  const of = 'id' in cause ? truth.get(cause.id) : undefined;
  const isUp = ([was, is]: readonly [number, number]): boolean => is / days(1) > was / days(0);
  switch (cause.kind) {
    case 'started':
      return of?.cost[0] === 0 && isMore;
    case 'gone':
      return of?.cost[1] === 0 && !isMore;
    case 'resized':
      return made.some(
        (one) =>
          one.kind === 'resized' && one.id === cause.id && one.from === cause.from && one.to === cause.to,
      );
    case 'addon':
      return of !== undefined && (isUp(of.addons) === isMore || of.addons[1] > of.addons[0] === isMore);
    case 'on':
      return of !== undefined && host !== 'flat' && isUp(of.minutes) === isMore;
    case 'price':
      return made.some((one) => one.kind === 'price' && one.tier === cause.tier && one.factor > 1 === isMore);
    case 'length':
      return isMore === days(1) > days(0);
    case 'unseen':
      return blindDays > 0;
    case 'item':
      return false;
    case 'type':
      return cause.type.endsWith('fee');
  }
}

function wordsOf({ cause, amount }: Change): string {
  return `${toDecimal(amount)} ${JSON.stringify(cause, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`;
}

/** What the parts leave of the difference. */
function restOf({ changes, more, unexplained }: Explanation, { before, now }: MadeMonths): number {
  const sumOf = (days: MadeMonths['now']): number =>
    days
      .flatMap(({ record }) => Object.values(record.booked?.used ?? {}).flat())
      .reduce((sum, [, amount]) => sum + Number(amount), 0);
  const told = [...changes, more, { amount: unexplained }].reduce(
    (sum, { amount }) => sum + Number(toDecimal(amount)),
    0,
  );
  return sumOf(now) - sumOf(before) - told;
}
