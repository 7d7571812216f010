import { expectedOf, type KnownCosts } from '../range/expected.ts';
import { outlookOf } from '../range/range.ts';
import type { Reading } from './reading.ts';

/** The reading, with how long it is likely to last where the days tell that. Pure. */
export function withExpected(reading: Reading, costs: KnownCosts): Reading {
  const { asOf, perDay, balance } = reading;
  const outlook = outlookOf({ ...costs, asOf, stated: perDay });
  return outlook ? { ...reading, expected: expectedOf(outlook, balance) } : reading;
}
