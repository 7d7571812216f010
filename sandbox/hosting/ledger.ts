import type { TransactionWire } from '../../src/hosting/wire.ts';
import { isoTime } from './instance.ts';

type TransactionType = 'purchase' | 'daily_charge' | 'addon_charge' | 'adjustment';

/** One movement of credits; `amount` is negative when credits are spent. */
export interface Entry {
  readonly type: TransactionType;
  readonly amount: number;
  readonly description: string;
  readonly instanceId: number | null;
  readonly at: number;
}

/** The one place where credits move: the balance is the sum of the entries, never a number of its own. */
export interface Ledger {
  balance(): number;
  add(entry: Entry): void;
  /** Newest first. */
  transactions(): readonly TransactionWire[];
}

/** An empty ledger; transaction ids are taken from `nextId`. */
export function createLedger(nextId: () => number): Ledger {
  const lines: TransactionWire[] = [];
  let balance = 0;
  return {
    balance: () => balance,
    add(entry) {
      balance += entry.amount;
      lines.unshift({
        id: nextId(),
        type: entry.type,
        amount: entry.amount,
        balance_after: balance,
        description: entry.description,
        instance_id: entry.instanceId,
        created_at: isoTime(entry.at),
      });
    },
    transactions: () => lines,
  };
}
