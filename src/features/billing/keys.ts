import { key } from '../../platform/redis/key.ts';

export const billingKeys = {
  /** Hash: version and record of what is known and reported of the balance, or of the month. */
  alarm: key('alarm'),
  /** Hash: version and record of the digest that is sent again and again. */
  digest: key('digest'),
  /** Hash: version and record of how far the ledger is filled. */
  ledger: key('ledger'),
  /** Hash: version and record of what was proposed to be stopped at night, tried and turned down. */
  proposals: key('proposals'),
  /** Hash: version and record of what parts of the costs may come to in a month. */
  budgets: key('budgets'),
  /** Hash: version and record of a day of the ledger, like "2026-10-03". */
  day: (day: string) => key('ledger', day),
} as const;
