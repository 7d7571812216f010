import type { Turn } from './budget.ts';

/** Who reads: everybody but a write. */
export type Reader = Exclude<Turn, 'write'>;

/**
 * One call for everybody who asks while it is under way, and its answer again while it is fresh enough.
 * `freshMs` 0 never takes an answer that was complete before the question.
 */
export interface SharedRead<T> {
  get(freshMs: number, turn: Reader): Promise<T>;
  /** The same, also of before a write. */
  getAcrossWrites(freshMs: number, turn: Reader): Promise<T>;
  /** Forgets the last answer, after a write. */
  forget(): void;
}

/** What is read in the background may be refused so that people can read: they don't join it. */
const YIELDING: ReadonlySet<Reader> = new Set(['bulk', 'refresh', 'background', 'continued']);

/** Whether others are served before such a reader. */
export function isYielding(turn: Reader): boolean {
  return YIELDING.has(turn);
}

/** Of those who are not yielding: who comes later is served first. */
const ORDER: readonly Reader[] = ['read', 'look', 'change', 'alert'];

/** Whether one who reads may share a call under way: nobody is refused because of those who are served later. */
function mayJoin(turn: Reader, joined: Reader): boolean {
  return isYielding(turn) || ORDER.indexOf(joined) >= ORDER.indexOf(turn);
}

export function createSharedRead<T>(read: (turn: Reader) => Promise<T>): SharedRead<T> {
  let underWay: { answer: Promise<T>; turn: Reader } | undefined;
  let begun = 0;
  let generation = 0;
  let last: { value: T; readAt: number } | undefined;
  /** The same two, whatever was written since. */
  let lastOfAll: typeof last;
  let underWayOfAll: typeof underWay;

  const begin = (turn: Reader): Promise<T> => {
    const [call, askedIn] = [++begun, generation];
    const answer = (async () => {
      try {
        const value = await read(turn);
        lastOfAll = { value, readAt: performance.now() };
        if (askedIn === generation) last = lastOfAll;
        return value;
      } finally {
        if (call === begun) underWay = underWayOfAll = undefined;
      }
    })();
    underWay = underWayOfAll = { answer, turn };
    return answer;
  };

  const given = (known: typeof last, joined: typeof underWay, freshMs: number, turn: Reader): Promise<T> => {
    if (known && performance.now() - known.readAt < freshMs) return Promise.resolve(known.value);
    const canJoin = joined && mayJoin(turn, joined.turn);
    return joined && canJoin ? joined.answer : begin(turn);
  };

  return {
    get: (freshMs, turn) => given(last, underWay, freshMs, turn),
    getAcrossWrites: (freshMs, turn) => given(lastOfAll, underWayOfAll, freshMs, turn),
    forget: () => {
      generation += 1;
      last = undefined;
      underWay = undefined;
    },
  };
}
