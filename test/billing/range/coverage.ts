import { amountOf } from '../../../src/features/billing/ledger/daily-costs.ts';
import { emptyRange, outlookOf } from '../../../src/features/billing/range/range.ts';
import { historyOf, type History, type Kind } from './histories.ts';
import { otherHistoryOf, type Way } from './other-histories.ts';
import { emptyDays } from '../../../src/features/billing/range/expected.ts';

const DAY_MS = 86_400_000;
/** No seed that the model was made with is one of these. */
const FIRST_SEED = 7_700_000;

/** What part of so many simulated accounts runs out within the days that their range names. */
export function coverageOf(kind: Kind, count: number, way?: Way): number {
  const all = Array.from({ length: count }, (_, index) => {
    const seed = FIRST_SEED + index;
    return isInDays(way ? otherHistoryOf(way, kind, seed) : historyOf(kind, seed));
  });
  return all.filter(Boolean).length / count;
}

function isInDays({ seen, asOf, balance, emptyAt }: History): boolean {
  const days = seen.map((cost, index) => ({
    day: new Date(asOf - (seen.length - index) * DAY_MS).toISOString().slice(0, 10),
    cost: cost === undefined ? undefined : amountOf(cost.toFixed(2)),
  }));
  const outlook = outlookOf({ days, asOf });
  if (!outlook) throw new Error('ten days are enough');
  const range = emptyRange(outlook, amountOf(balance.toFixed(2)));
  const left = emptyDays(range, asOf);
  const today = Math.floor(asOf / DAY_MS);
  const truth = Math.floor(emptyAt / DAY_MS) - today;
  return left.first !== undefined && truth >= left.first && (left.last === undefined || truth <= left.last);
}
