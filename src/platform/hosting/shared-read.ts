import type { Priority } from './budget.ts';

/** Who reads: everybody but a write. */
export type ReadPriority = Exclude<Priority, 'write'>;

/**
 * One call for everybody who asks while it is under way, and its answer again while it is fresh enough.
 * `freshMs` 0 never takes an answer that was complete before the question. Ten people who ask for a list at once cost the host
 * three calls in place of ten.
 */
export interface SharedRead<T> {
  get(freshMs: number, priority: ReadPriority): Promise<T>;
  /** The same, also of before a write. */
  getAcrossWrites(freshMs: number, priority: ReadPriority): Promise<T>;
  /** Forgets the last answer, after a write. */
  forget(): void;
}

/** What is read in the background may be refused so that people can read: they don't join it. */
const YIELDING: ReadonlySet<ReadPriority> = new Set(['bulk', 'refresh', 'background', 'continued']);

/** Whether others are served before such a reader. */
export function isYielding(priority: ReadPriority): boolean {
  return YIELDING.has(priority);
}

/** Of those who are not yielding: who comes later is served first. */
const ORDER: readonly ReadPriority[] = ['read', 'poll', 'change', 'alert'];

/** Whether one who reads may share a call under way: nobody is refused because of those who are served later. */
function mayJoin(priority: ReadPriority, joined: ReadPriority): boolean {
  return isYielding(priority) || ORDER.indexOf(joined) >= ORDER.indexOf(priority);
}

export function createSharedRead<T>(read: (priority: ReadPriority) => Promise<T>): SharedRead<T> {
  let underWay: { answer: Promise<T>; priority: ReadPriority } | undefined;
  let begun = 0;
  let generation = 0;
  let last: { value: T; readAt: number } | undefined;
  /** The same two, whatever was written since. */
  let lastOfAll: typeof last;
  let underWayOfAll: typeof underWay;

  const begin = (priority: ReadPriority): Promise<T> => {
    const [call, askedIn] = [++begun, generation];
    const answer = (async () => {
      try {
        const value = await read(priority);
        lastOfAll = { value, readAt: performance.now() };
        if (askedIn === generation) last = lastOfAll;
        return value;
      } finally {
        if (call === begun) underWay = underWayOfAll = undefined;
      }
    })();
    underWay = underWayOfAll = { answer, priority };
    return answer;
  };

  const given = (
    known: typeof last,
    joined: typeof underWay,
    freshMs: number,
    priority: ReadPriority,
  ): Promise<T> => {
    if (known && performance.now() - known.readAt < freshMs) return Promise.resolve(known.value);
    const canJoin = joined && mayJoin(priority, joined.priority);
    return joined && canJoin ? joined.answer : begin(priority);
  };

  return {
    get: (freshMs, priority) => given(last, underWay, freshMs, priority),
    getAcrossWrites: (freshMs, priority) => given(lastOfAll, underWayOfAll, freshMs, priority),
    forget: () => {
      generation += 1;
      last = undefined;
      underWay = undefined;
    },
  };
}
