import { key } from '../../platform/redis/key.ts';

export const billingKeys = {
  /** Hash: version and record of what is known and reported of the balance, or of the month. */
  alarm: key('alarm'),
  /** Hash: version and record of the digest that is sent again and again. */
  digest: key('digest'),
  /** Hash: version and record of the files that are being read for people. */
  exports: key('exports'),
} as const;
