import { setTimeout as wait } from 'node:timers/promises';
import { type Column, csvHead, csvRow } from '../../../core/lists/columns.ts';
import { HostingError } from '../../../platform/hosting/hosting-error.ts';
import type { HostingService, Transaction } from '../../../platform/hosting/service.ts';
import {
  passes,
  type Statement,
  statementFrom,
  type Sums,
  sumsFrom,
  type Tally,
  tallied,
  type StatementFilter,
} from './statement.ts';
import { type Taken, walkTransactions } from './walk.ts';

/** What was written, and whether that is all or why not. */
export interface Written {
  /** The lines of the file, in parts. */
  readonly parts: readonly string[];
  readonly rows: number;
  readonly sums: Sums;
  readonly statement: Statement | undefined;
  /** They came newest first. */
  readonly isInOrder: boolean;
  readonly end: NonNullable<Taken['end']> | 'most rows' | 'most bytes' | 'most time';
  /** How many transactions the service says there are, read or not. */
  readonly total: number | undefined;
}

type Lists = Pick<HostingService, 'listTransactions'>;

interface Table {
  readonly wanted: StatementFilter;
  readonly unit: string;
  /** Names of instances by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly mostRows: number;
  readonly mostBytes: number;
  /** Called where more than a page is to be read, or waited for; perhaps more than once. */
  readonly onLong?: () => Promise<void>;
}

/** What the file has of each; `names`: of instances, by id. */
function columnsOf({ names, unit }: Pick<Table, 'names' | 'unit'>): readonly Column<Transaction>[] {
  return [
    { head: 'id', csv: ({ id }) => id },
    { head: 'time', csv: ({ createdAt }) => createdAt },
    { head: 'type', csv: ({ type }) => type },
    { head: 'amount', csv: ({ amountCredits }) => amountCredits },
    { head: 'balance_after', csv: ({ balanceAfterCredits }) => balanceAfterCredits },
    { head: 'instance_id', csv: ({ instanceId }) => instanceId },
    { head: 'instance_name', csv: ({ instanceId = '' }) => names.get(instanceId) },
    { head: 'description', csv: ({ description }) => description },
    { head: 'unit', csv: () => unit },
  ];
}

/** How long all waits for the hosting service's rate limit may take together; a response_url lives half an hour. */
const PATIENCE_MS = 25 * 60_000;
const LEAST_PAUSE_MS = 250;

/** Writes every transaction that is wanted, as they come. Throws a HostingError where none could be read. */
export async function writeTransactions(hosting: Lists, table: Table): Promise<Written> {
  const { wanted, mostRows, mostBytes, onLong = async () => undefined } = table;
  const columns = columnsOf(table);
  const parts = [csvHead(columns)];
  let [rows, bytes, isInOrder] = [0, 0, true];
  let tally: Tally | undefined;
  let last: Taken | undefined;
  let end: Written['end'] | undefined;
  try {
    const { since } = wanted;
    for await (const taken of walkTransactions(patient(hosting, onLong), { since }, { priority: 'bulk' })) {
      last = taken;
      ({ end } = taken);
      isInOrder &&= !taken.isRising;
      let lines = '';
      for (const one of taken.fresh) {
        if (!passes(one, wanted)) continue;
        const line = csvRow(columns, one);
        bytes += Buffer.byteLength(line);
        if (rows === mostRows || bytes > mostBytes) {
          end = rows === mostRows ? 'most rows' : 'most bytes';
          break;
        }
        lines += line;
        tally = tallied(tally, one);
        rows++;
      }
      parts.push(lines);
      if (end !== undefined) break;
      await onLong();
    }
  } catch (error) {
    if (!last || waitMsOf(error) === undefined) throw error;
    end = 'most time';
  }
  return {
    parts,
    rows,
    sums: sumsFrom(tally),
    statement: statementFrom(tally),
    isInOrder,
    end: end ?? 'all',
    total: last?.walk.total,
  };
}

/** The same at the pace that the rate limit allows, since a long list needs more than a minute's share of it, but not for ever. */
function patient(hosting: Lists, onWait: () => Promise<void>): Lists {
  let leftMs = PATIENCE_MS;
  return {
    listTransactions: async (...asked) => {
      for (;;) {
        try {
          return await hosting.listTransactions(...asked);
        } catch (error) {
          const waitMs = waitMsOf(error);
          if (waitMs === undefined || waitMs > leftMs) throw error;
          leftMs -= waitMs;
          await onWait();
          // A process that is to end doesn't stay for this.
          await wait(waitMs, undefined, { ref: false });
        }
      }
    },
  };
}

/** How long to wait where the service takes nothing for a while; undefined for any other fault. */
function waitMsOf(error: unknown): number | undefined {
  if (!(error instanceof HostingError) || error.retryAfterMs === undefined) return undefined;
  return Math.max(error.retryAfterMs, LEAST_PAUSE_MS);
}
