import { setTimeout as wait } from 'node:timers/promises';
import type { Limit } from './budget.ts';
import { HostingError } from './hosting-error.ts';
import { type Lease, MAX_SNAPSHOT_AGE_MS, type Snapshot, type SnapshotStore } from './list-snapshot.ts';
import type { InstanceList, LastList, ListOptions } from './service.ts';
import { createSharedRead, isYielding, type ReadPriority } from './shared-read.ts';

/** Reads the whole list now; `onPage` runs after each page, and what it throws ends the reading. */
export type ReadWhole = (priority: ReadPriority, onPage?: () => Promise<void>) => Promise<InstanceList>;

/** What a long list is shared over. */
export interface Sharing {
  readonly store: SnapshotStore;
  /** Redis' time, Unix ms. */
  readonly now: () => number;
  readonly limit: Limit;
}

/** The list of instances for everybody who asks. */
export interface SharedInstances {
  /** `freshMs`: how old it may be. Throws HostingError. */
  get(
    freshMs: number,
    priority: ReadPriority,
    how?: Pick<ListOptions, 'isNew' | 'isAcrossWrites'>,
  ): Promise<InstanceList>;
  /** The list as it was read last, by whichever process; undefined where none is kept. */
  findLast(): Promise<LastList | undefined>;
  /** How many calls a reading takes, by the last one; 1 where there was none. */
  countPages(): Promise<number>;
  /** How far apart (ms) readings of it are that only show it, by that; 0 where it is shared with no other process. */
  everyMs(): Promise<number>;
  /** Forgets what it has in this process of a short list, after a write. */
  forget(): void;
}

/** A list whose reading takes more of a window's calls than this is long. */
const LONG = 0.05;
/** How much of all calls the reading of a long list may take. */
const REFRESH_SHARE = 0.25;
/** A short list is written down no more often than this: what is asked of it is only whether it is short. */
const SHORT_EVERY_MS = 60_000;
/** How long somebody waits for the list that another process reads, and how often they check for it. */
const WAIT_FOR_OTHER_MS = 10_000;
const POLL_EVERY_MS = 100;
/** A list whose reading began no longer ago is as good as one of now. */
const CURRENT_MS = 2_000;

/**
 * A short list is read when it is asked for. A long one is read once for all processes, again only as often as a share of
 * the budget allows, and carries its age: docs/decisions/0027-one-list-for-all.md.
 */
export function createInstanceList(read: ReadWhole, sharing?: Sharing): SharedInstances {
  if (sharing) return createLongList(read, sharing);
  const alone = createSharedRead((priority) => read(priority));
  return {
    get: (freshMs, priority, how) =>
      how?.isAcrossWrites ? alone.getAcrossWrites(freshMs, priority) : alone.get(freshMs, priority),
    findLast: async () => undefined,
    countPages: async () => 1,
    everyMs: async () => 0,
    forget: alone.forget,
  };
}

function createLongList(read: ReadWhole, { store, now, limit }: Sharing): SharedInstances {
  const isLong = ({ pages }: Snapshot): boolean => pages > Math.max(1, limit.requests * LONG);

  /** Many pages take their time: what stands on the first may have changed when the last has come. */
  const aged = (snapshot: Snapshot): InstanceList =>
    listOf(snapshot, now() - snapshot.readAtMs > CURRENT_MS ? snapshot.readAtMs : undefined);

  /** Reads it now; it is written down where others need it, and always under a lease. */
  const readAndKeep = async (
    priority: ReadPriority,
    before?: Snapshot,
    lease?: Lease,
  ): Promise<InstanceList> => {
    const readAtMs = now();
    const list = await read(priority, lease && (() => keepOrYield(lease)));
    const snapshot = { ...list, pages: list.pages ?? 1, readAtMs };
    const isDue = !before || isLong(before) || readAtMs - before.readAtMs > SHORT_EVERY_MS;
    if (isDue || isLong(snapshot)) await store.put(snapshot);
    return aged(snapshot);
  };

  const underLease = async (priority: ReadPriority): Promise<InstanceList> => {
    const before = await store.find();
    const until = now() + WAIT_FOR_OTHER_MS;
    for (;;) {
      const lease = await store.lease(isYielding(priority));
      if (lease) {
        try {
          return await readAndKeep(priority, undefined, lease);
        } finally {
          await lease.release();
        }
      }
      if (now() > until) throw outOfCalls();
      await wait(POLL_EVERY_MS);
      const theirs = await store.find();
      if (theirs && theirs.readAtMs !== before?.readAtMs) return aged(theirs);
    }
  };

  const long = createSharedRead(underLease);
  /** What was written down when somebody last asked: who asks for a short list has just looked. */
  let seen: Snapshot | undefined;
  const short = createSharedRead((priority) => (seen ? readAndKeep(priority, seen) : underLease(priority)));
  let refreshing: Promise<void> | undefined;
  const refresh = (): void => {
    // The list that stands serves until then; a fault shows where somebody has to have a new one.
    refreshing ??= long.get(0, 'refresh').then(
      () => (refreshing = undefined),
      () => (refreshing = undefined),
    );
  };

  return {
    get: async (freshMs, priority, { isNew = false, isAcrossWrites = false } = {}) => {
      const known = (seen = await store.find());
      if (!known || !isLong(known))
        return isAcrossWrites ? short.getAcrossWrites(freshMs, priority) : short.get(freshMs, priority);
      if (isNew) return long.get(0, priority);
      const ageMs = now() - known.readAtMs;
      if (ageMs <= freshMs) return listOf(known);
      // A new one is read only so often: it would leave no calls for what they want it for.
      const isEnough = ageMs <= (freshMs > 0 ? MAX_SNAPSHOT_AGE_MS : everyMsOf(known.pages, limit) / 2);
      if (isEnough) {
        if (ageMs > everyMsOf(known.pages, limit)) refresh();
        return listOf(known, known.readAtMs);
      }
      const reading = long.get(0, priority);
      return ageMs > MAX_SNAPSHOT_AGE_MS ? reading : reading.catch(beforeUnlessCalled(known));
    },
    findLast: store.find,
    countPages: async () => (await store.find())?.pages ?? 1,
    everyMs: async () => everyMsOf((await store.find())?.pages ?? 1, limit),
    // What a long list says carries its age instead, and is read again by its id before anything is done.
    forget: () => short.forget(),
  };
}

/** Where there is no call for a new list, the one before. */
function beforeUnlessCalled(known: Snapshot): (error: unknown) => InstanceList {
  return (error) => {
    if (!(error instanceof HostingError) || error.fault !== 'rate-limited') throw error;
    return listOf(known, known.readAtMs);
  };
}

/** How far apart (ms) readings of a list of so many pages are. Pure. */
function everyMsOf(pages: number, { requests, seconds }: Limit): number {
  return (pages / (requests * REFRESH_SHARE)) * seconds * 1_000;
}

/** The process that comes first reads it instead. */
async function keepOrYield(lease: Lease): Promise<void> {
  if (!(await lease.extend())) throw outOfCalls();
}

function outOfCalls(): HostingError {
  const details = { fault: 'rate-limited', isOwnLimit: true, outcome: 'not-done', retryable: true } as const;
  return new HostingError('listing instances', { ...details, retryAfterMs: WAIT_FOR_OTHER_MS });
}

function listOf(snapshot: Snapshot, readAtMs?: number): InstanceList {
  const { readAtMs: _, ...list } = snapshot;
  return { ...list, ...(readAtMs === undefined ? {} : { readAtMs }) };
}
