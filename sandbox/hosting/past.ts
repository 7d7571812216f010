import type { TransactionWire } from '../../src/platform/hosting/table/records.ts';
import { isoTime } from './instance.ts';

/** Transactions from before the ledger: each is made up when somebody looks, so that many cost nothing. */
export interface Past {
  readonly length: number;
  /** The balance that they end in. */
  readonly closing: number;
  /** One by its place; 0 is the oldest. */
  at(place: number): TransactionWire;
}

/** Ten make a round: a purchase, then nine charges that use it up. */
const ROUND = 10;
const CHARGE = 100;

/** A past of `length` transactions with ids from `firstId` on. They add up, and end in `closing` just before `endAt`. */
export function createPast(past: {
  length: number;
  closing: number;
  firstId: number;
  endAt: number;
  everyMs: number;
}): Past {
  const { length, closing, firstId, endAt, everyMs } = past;
  const left = (place: number): number => CHARGE * (ROUND - 1 - (place % ROUND));
  const afterRounds = closing - left(length - 1);
  return {
    length,
    closing,
    at(place) {
      const isPurchase = place % ROUND === 0;
      const bought = left(0) + (place === 0 ? afterRounds : 0);
      return {
        id: firstId + place,
        type: isPurchase ? 'purchase' : 'addon_charge',
        amount: isPurchase ? bought : -CHARGE,
        balance_after: afterRounds + left(place),
        description: isPurchase ? 'Credit package' : 'Add-on llm: by use',
        instance_id: null,
        created_at: isoTime(endAt - (length - place) * everyMs),
      };
    },
  };
}
