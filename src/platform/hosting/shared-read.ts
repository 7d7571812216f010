import type { Turn } from './budget.ts';

/** Who reads: everybody but a write. */
export type Reader = Exclude<Turn, 'write'>;

/**
 * One call for everybody who asks while it is under way, and its answer again while it is fresh enough.
 * `freshMs` 0 never takes an answer that was complete before the question.
 */
export interface SharedRead<T> {
  get(freshMs: number, turn: Reader): Promise<T>;
  /** Forgets the last answer, after a write. */
  forget(): void;
}

/** What is read in the background may be refused so that people can read: they don't join it. */
const YIELDING: ReadonlySet<Reader> = new Set(['bulk', 'refresh', 'background', 'continued']);

/** Whether others are served before such a reader. */
export function isYielding(turn: Reader): boolean {
  return YIELDING.has(turn);
}

export function createSharedRead<T>(read: (turn: Reader) => Promise<T>): SharedRead<T> {
  let underWay: { answer: Promise<T>; turn: Reader } | undefined;
  let begun = 0;
  let generation = 0;
  let last: { value: T; readAt: number } | undefined;

  const begin = (turn: Reader): Promise<T> => {
    const [call, askedIn] = [++begun, generation];
    const answer = (async () => {
      try {
        const value = await read(turn);
        if (askedIn === generation) last = { value, readAt: performance.now() };
        return value;
      } finally {
        if (call === begun) underWay = undefined;
      }
    })();
    underWay = { answer, turn };
    return answer;
  };

  return {
    get: (freshMs, turn) => {
      if (last && performance.now() - last.readAt < freshMs) return Promise.resolve(last.value);
      const canJoin = underWay && (isYielding(turn) || !isYielding(underWay.turn));
      return underWay && canJoin ? underWay.answer : begin(turn);
    },
    forget: () => {
      generation += 1;
      last = undefined;
      underWay = undefined;
    },
  };
}
