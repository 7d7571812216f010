import { type Amount, parseAmount } from '../credits/amount.ts';
import { HostingError, Refusal } from '../errors.ts';
import type { HostingService } from '../hosting/service.ts';
import { say } from '../slack/phrase.ts';
import { type Runway, runwayOf } from './runway.ts';

/** The balance as it was read, and when (Unix ms). */
export interface Reading {
  readonly balance: Amount;
  readonly perDay: Amount | undefined;
  readonly runway: Runway;
  readonly asOf: number;
}

/** Reads the balance. Throws a Refusal where there is an answer but no amount in it, else HostingError. */
export async function readBalance(hosting: HostingService, now: () => number): Promise<Reading> {
  try {
    const { credits, dailyCostCredits } = await hosting.getBalance();
    const balance = parseAmount(credits);
    const asOf = now();
    const perDay = parseAmount(dailyCostCredits);
    if (balance) return { balance, perDay, runway: runwayOf(balance, perDay, asOf), asOf };
  } catch (error) {
    if (!(error instanceof HostingError && error.fault === 'unreadable')) throw error;
  }
  throw new Refusal(
    'balance-unreadable',
    say`I couldn't read the balance: the hosting service answered, but with no amount that I can read for certain. That doesn't mean that it is empty; look at its own dashboard.`,
  );
}
