import { setTimeout as wait } from 'node:timers/promises';
import { HostingError } from '../../../platform/hosting/hosting-error.ts';
import { walkPages } from '../../../platform/hosting/pages.ts';
import type {
  HostingService,
  PageRef,
  Transaction,
  TransactionPage,
} from '../../../platform/hosting/service.ts';
import { csvLine } from '../../../platform/csv.ts';
import { isNewestFirst, START, unseen, whenOf } from './page-cursor.ts';
import {
  passes,
  type Statement,
  statementFrom,
  type Sums,
  sumsFrom,
  type Tally,
  tallied,
  type Wanted,
} from './statement.ts';

/** What was written, and whether that is all or why not. */
export interface Written {
  /** The lines of the file, in parts. */
  readonly parts: readonly string[];
  readonly rows: number;
  readonly sums: Sums;
  readonly statement: Statement | undefined;
  /** They came newest first. */
  readonly isInOrder: boolean;
  readonly end: 'all' | 'most rows' | 'most bytes' | 'most time' | 'same page again' | 'some missing';
  /** How many transactions the service says there are, read or not. */
  readonly total?: number;
}

type Lists = Pick<HostingService, 'listTransactions'>;

interface Table {
  readonly wanted: Wanted;
  readonly unit: string;
  /** Names of instances by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly mostRows: number;
  readonly mostBytes: number;
  /** Called where more than a page is to be read, or waited for; perhaps more than once. */
  readonly onLong?: () => Promise<void>;
}

const COLUMNS = [
  'id',
  'time',
  'type',
  'amount',
  'balance_after',
  'instance_id',
  'instance_name',
  'description',
  'unit',
];
const PER_PAGE = 100;
/** How long all waits for the hosting service's rate limit may take together; a response_url lives half an hour. */
const PATIENCE_MS = 25 * 60_000;
const LEAST_PAUSE_MS = 250;
/** Pages without anything new, one after another, before the service is taken to go round in circles. */
const MAX_STALE_PAGES = 5;

/** Writes every transaction that is wanted, as they come. */
export async function writeTransactions(hosting: Lists, table: Table): Promise<Written> {
  const { wanted, mostRows, mostBytes, onLong = async () => undefined } = table;
  const parts: string[] = [];
  let tally: Tally | undefined;
  let rows = 0;
  let bytes = 0;
  let read = 0;
  let total: number | undefined;
  let end: Written['end'] | undefined;
  let isInOrder = true;
  let lastAt = Number.POSITIVE_INFINITY;
  let staged = csvLine(COLUMNS);
  let stale = 0;
  let seen = START;
  for await (const page of walkPages(createPatientRead(hosting, onLong))) {
    const { transactions, hasMore } = page;
    if (page.isLate) {
      end = 'most time';
      break;
    }
    // What is bought while it is read comes before the first page.
    total ??= page.total;
    const { fresh, cursor } = unseen(seen, transactions);
    seen = cursor;
    read += fresh.length;
    stale = transactions.length > 0 && fresh.length === 0 ? stale + 1 : 0;
    if (!hasMore) end = total !== undefined && read < total ? 'some missing' : 'all';
    if (hasMore && stale === MAX_STALE_PAGES) end = 'same page again';
    const isPageInOrder = isNewestFirst(transactions);
    for (const one of fresh) {
      const at = whenOf(one);
      isInOrder &&= at === undefined || at <= lastAt;
      lastAt = at ?? lastAt;
      // Newest first: from here on all are older.
      if (isPageInOrder && wanted.since !== undefined && Date.parse(one.createdAt) < wanted.since)
        end = 'all';
      else if (!passes(one, wanted)) continue;
      else if (rows === mostRows) end = 'most rows';
      else {
        const line = csvLine(cellsOf(one, table));
        bytes += Buffer.byteLength(line);
        if (bytes <= mostBytes) {
          staged += line;
          tally = tallied(tally, one);
          rows++;
          continue;
        }
        end = 'most bytes';
      }
      break;
    }
    parts.push(staged);
    staged = '';
    if (end !== undefined) break;
    await onLong();
  }
  return {
    parts,
    rows,
    sums: sumsFrom(tally),
    statement: statementFrom(tally),
    isInOrder,
    end: end ?? 'all',
    total,
  };
}

function cellsOf(one: Transaction, { names, unit }: Table): string[] {
  const { instanceId = '' } = one;
  return [
    one.id,
    one.createdAt,
    one.type,
    one.amountCredits ?? '',
    one.balanceAfterCredits ?? '',
    instanceId,
    names.get(instanceId) ?? '',
    one.description ?? '',
    unit,
  ];
}

/**
 * Reads pages at the pace that the rate limit allows, since a long list needs more than a minute's share of it. Once that
 * takes too long, what was read before counts, and a page that `isLate` ends it; where that is nothing, the fault is thrown.
 */
function createPatientRead(
  hosting: Lists,
  onWait: () => Promise<void>,
): (page: number, at: PageRef | undefined) => Promise<TransactionPage & { readonly isLate?: true }> {
  let leftMs = PATIENCE_MS;
  return async (page, at) => {
    for (;;) {
      try {
        return await hosting.listTransactions(page, PER_PAGE, { priority: 'bulk', at });
      } catch (error) {
        if (!(error instanceof HostingError) || error.retryAfterMs === undefined) throw error;
        const waitMs = Math.max(error.retryAfterMs, LEAST_PAUSE_MS);
        if (waitMs > leftMs && page > 1) return { transactions: [], hasMore: false, isLate: true };
        if (waitMs > leftMs) throw error;
        leftMs -= waitMs;
        await onWait();
        // A process that is to end doesn't stay for this.
        await wait(waitMs, undefined, { ref: false });
      }
    }
  };
}
