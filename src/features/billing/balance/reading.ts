import { type Amount, parseAmount, compare, timesIn, ZERO } from '../../../core/money/amount.ts';
import { Refusal } from '../../../core/refusal.ts';
import { HostingError } from '../../../platform/hosting/hosting-error.ts';
import type { HostingService } from '../../../platform/hosting/service.ts';
import { say } from '../../../platform/slack/phrase.ts';
import { type Expected, expectedOf, type KnownCosts } from '../range/expected.ts';
import { outlookOf } from '../range/range.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';

/** How long a balance lasts at today's cost. Times are Unix ms. */
export type Runway =
  | { readonly lasts: 'days'; readonly days: number; readonly emptyAt: number }
  /** Nothing is left. */
  | { readonly lasts: 'empty' }
  /** Nothing costs anything now. */
  | { readonly lasts: 'free' }
  /** The service reports a cost below 0, which says nothing of how long it lasts. */
  | { readonly lasts: 'negative cost' }
  /** Longer than a date says anything. */
  | { readonly lasts: 'without end' }
  /** The service does not say what a day costs. */
  | { readonly lasts: 'unknown' };

/** Further off than this a date says nothing. */
const MAX_MS = 10n * 365n * BigInt(DAY_MS);

/** The runway of `balance` at `perDay` from `asOf` on. Pure. Midnight charges are not known, so it is about. */
export function runwayOf(balance: Amount, perDay: Amount | undefined, asOf: number): Runway {
  if (compare(balance, ZERO) <= 0) return { lasts: 'empty' };
  if (!perDay) return { lasts: 'unknown' };
  const cost = compare(perDay, ZERO);
  if (cost <= 0) return { lasts: cost < 0 ? 'negative cost' : 'free' };
  const leftMs = timesIn(balance, perDay, DAY_MS);
  if (leftMs > MAX_MS) return { lasts: 'without end' };
  return { lasts: 'days', days: Math.floor(Number(leftMs) / DAY_MS), emptyAt: asOf + Number(leftMs) };
}

/** The balance as it was read, and when (Unix ms). */
export interface Reading {
  readonly balance: Amount;
  readonly perDay: Amount | undefined;
  readonly runway: Runway;
  /** How long it is likely to last by what days have cost; undefined where too few are known. */
  readonly expected?: Expected | undefined;
  readonly asOf: number;
  /** The hosting service tops it up by itself, so it is not to run out. */
  readonly isToppedUp?: boolean | undefined;
}

/** The code of the Refusal where the service has no balance. */
export const NOT_OFFERED = 'balance-not-offered';

/**
 * Reads the balance. Throws a Refusal where the service offers none, or where there is an answer but no amount in it, else
 * HostingError.
 */
export async function readBalance(hosting: HostingService, now: () => number): Promise<Reading> {
  const reading = await findReading(hosting, now);
  if (reading) return reading;
  throw new Refusal(NOT_OFFERED, {
    lines: [
      say`This hosting service doesn't offer a balance, so I can't say what is left or how long it lasts, and I can't warn you. Look at its own dashboard.`,
    ],
    buttons: [
      { label: 'Usage', routeId: 'billing.usage', value: 'instance' },
      { label: 'Transactions', routeId: 'billing.transactions', value: 'newest' },
    ],
  });
}

/** The balance; undefined where the service offers none. Throws like readBalance. */
export async function findReading(hosting: HostingService, now: () => number): Promise<Reading | undefined> {
  try {
    const found = await hosting.getBalance();
    if (!found) return undefined;
    const balance = parseAmount(found.credits);
    const asOf = now();
    const perDay = parseAmount(found.dailyCostCredits);
    const { isToppedUp } = hosting.about;
    if (balance) return { balance, perDay, runway: runwayOf(balance, perDay, asOf), asOf, isToppedUp };
  } catch (error) {
    if (!(error instanceof HostingError && error.fault === 'unreadable')) throw error;
  }
  throw new Refusal(
    'balance-unreadable',
    say`I couldn't read the balance: the hosting service answered, but with no amount that I can read for certain. That doesn't mean that it is empty; look at its own dashboard.`,
  );
}

/** The reading, with how long it is likely to last where the days tell that. Pure. */
export function withExpected(reading: Reading, costs: KnownCosts): Reading {
  const { asOf, perDay, balance } = reading;
  const outlook = outlookOf({ ...costs, asOf, stated: perDay });
  return outlook ? { ...reading, expected: expectedOf(outlook, balance) } : reading;
}
