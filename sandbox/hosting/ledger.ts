import type { TransactionWire } from '../../src/platform/hosting/table/records.ts';
import { sumOf } from './exact-sum.ts';
import { isoTime } from './instance.ts';
import type { Sliceable } from './outcome.ts';
import type { Past } from './past.ts';

type TransactionType = 'purchase' | 'daily_charge' | 'addon_charge' | 'adjustment';

/** One movement of credits; `amount` is negative when credits are spent. */
export interface Entry {
  readonly type: TransactionType;
  readonly amount: number;
  /** What stands on the wire in place of the amount, for nonsense. */
  readonly written?: string;
  readonly description: string;
  readonly instanceId: number | null;
  readonly at: number;
}

/** A transaction as it stands on the wire, with any decimal as its amount. */
export interface Booking {
  readonly type: string;
  readonly amount: string;
  readonly instanceId?: number;
  /** Unix ms. */
  readonly at: number;
  readonly isOnTop?: true;
  /** Its type, unless it is said. */
  readonly description?: string;
}

/** The one place where credits move: the balance is the sum of the entries, never a number of its own. */
export interface Ledger {
  balance(): number;
  add(entry: Entry): void;
  /** Something that is only told, and moves no balance: in its place by its time, or as the newest. */
  book(booking: Booking): void;
  /** Newest first. */
  transactions(): Sliceable<TransactionWire>;
}

/** A ledger with nothing in it but a past, if any; transaction ids are taken from `nextId`. */
export function createLedger(nextId: () => number, past?: Past): Ledger {
  const lines: TransactionWire[] = [];
  const before = past?.length ?? 0;
  let balance = past?.closing ?? 0;
  return {
    balance: () => balance,
    add(entry) {
      balance = sumOf([balance, entry.amount]);
      lines.push({
        id: nextId(),
        type: entry.type,
        amount: entry.written ?? entry.amount,
        balance_after: balance,
        description: entry.description,
        instance_id: entry.instanceId,
        created_at: isoTime(entry.at),
      });
    },
    book({ type, amount, instanceId = null, at, isOnTop, description = type }) {
      const created_at = isoTime(at);
      const line = { id: nextId(), type, amount, instance_id: instanceId, created_at, description };
      const older = lines.findLastIndex((one) => one.created_at <= created_at);
      lines.splice(isOnTop ? lines.length : older + 1, 0, line);
    },
    transactions() {
      const length = before + lines.length;
      const newest = (place: number): TransactionWire[] => {
        const fromOldest = length - 1 - place;
        return [fromOldest < before ? past?.at(fromOldest) : lines[fromOldest - before]].flatMap(
          (line) => line ?? [],
        );
      };
      return {
        length,
        slice(start, end) {
          const count = Math.max(0, Math.min(end, length) - start);
          return Array.from({ length: count }, (_, index) => newest(start + index)).flat();
        },
      };
    },
  };
}
