import { atMost } from '../time/at-most.ts';
import { HostingError } from './hosting-error.ts';
import type { Spending } from './month.ts';
import type { Balance, HostingService, InstanceList, ReadOptions } from './service.ts';

/** Reads for what is shown without anybody asking: seldom, and by the last good answer while there is no other. */
export interface PacedReads extends Pick<HostingService, 'listInstances' | 'getBalance' | 'getSpending'> {
  /** The next reading is newer than `since` (ms on the clock it was built with). `priority`: who waits for it. */
  renew(since: number, priority: NonNullable<ReadOptions['priority']>): void;
}

/** The list is read more seldom than the account allows it, so that whatever else refreshes it gets calls, too. */
const OF_LIST_PACE = 1.5;
/** The last answer stands in for a slow one after this, and for one that fails up to this. */
const PATIENCE_MS = 500;
const STANDS_IN_MS = 60_000;

/** `balanceEveryMs`: how far apart readings of the balance, or of what is to be paid, are. `now`: in ms. */
export function createPacedReads(
  hosting: Pick<HostingService, 'listInstances' | 'listEveryMs' | 'getBalance' | 'getSpending'>,
  { now, balanceEveryMs }: { readonly now: () => number; readonly balanceEveryMs: number },
): PacedReads {
  const list = createPacedRead<InstanceList>({
    now,
    everyMs: async () => OF_LIST_PACE * (await hosting.listEveryMs()),
    read: (options) => hosting.listInstances(options),
  });
  const balance = createPacedRead<Balance | undefined>({
    now,
    everyMs: async () => balanceEveryMs,
    read: (options) => hosting.getBalance(options),
  });
  const spending = createPacedRead<Spending>({
    now,
    everyMs: async () => balanceEveryMs,
    read: (options) => hosting.getSpending(options),
  });
  return {
    listInstances: () => list.get(),
    getBalance: () => balance.get(),
    getSpending: () => spending.get(),
    renew: (since, priority) => {
      list.renew(since, priority);
      if (priority !== 'read') return;
      balance.renew(since, priority);
      spending.renew(since, priority);
    },
  };
}

interface PacedRead<T> {
  get(): Promise<T>;
  renew(since: number, priority: NonNullable<ReadOptions['priority']>): void;
}

function createPacedRead<T>({
  now,
  everyMs,
  read,
}: {
  readonly now: () => number;
  readonly everyMs: () => Promise<number>;
  readonly read: (options: ReadOptions) => Promise<T>;
}): PacedRead<T> {
  let wanted: { since: number; priority: NonNullable<ReadOptions['priority']> } = {
    since: 0,
    priority: 'refresh',
  };
  let triedAt = Number.NEGATIVE_INFINITY;
  let last: { readonly value: T; readonly at: number } | undefined;
  let failure: HostingError | undefined;
  let underWay: Promise<void> | undefined;

  const begin = async (options: ReadOptions): Promise<void> => {
    triedAt = now();
    try {
      last = { value: await read(options), at: now() };
      failure = undefined;
    } catch (error) {
      if (!(error instanceof HostingError)) throw error;
      failure = error;
    } finally {
      underWay = undefined;
    }
  };
  /** Undefined where what there is will do. */
  const due = async (): Promise<ReadOptions | undefined> => {
    const { since, priority } = wanted;
    // What somebody else has read since will do as well.
    if (triedAt < since) return { priority, freshMs: Math.max(1, now() - since) };
    return now() - triedAt >= (await everyMs()) ? { priority: 'refresh' } : undefined;
  };
  return {
    get: async () => {
      const options = await due();
      if (options) underWay ??= begin(options);
      if (underWay) await (last ? atMost(PATIENCE_MS, underWay) : underWay);
      const isGood = last && (!failure || now() - last.at <= STANDS_IN_MS);
      if (last && isGood) return last.value;
      throw failure ?? new Error('a paced read that gave nothing');
    },
    renew: (since, priority) => {
      if (since > wanted.since) wanted = { since, priority };
    },
  };
}
