/** How long Slack's signature is good for, from the oldest time that is taken to the latest in the future. */
const GOOD_FOR_MS = 600_000;
/** So many are remembered at least. Past that a replay is known by its record alone. */
const ENOUGH = 20_000;

/**
 * Knows signed requests that came to this process before, in its memory: the acknowledgement of a word that nobody
 * knows takes 0.1 ms of CPU, and would wait for Redis otherwise. What anything comes of is refused by its record as well, whichever process
 * a replay comes to. `now`: any clock that only goes forward, ms.
 */
export function createSeenRequests(now: () => number = () => performance.now()): {
  /** Whether this signature comes for the first time; remembers it. */
  isFirst(signature: string): boolean;
} {
  let recent = new Set<string>();
  let before = new Set<string>();
  let since = now();
  return {
    isFirst: (signature) => {
      if (recent.size >= ENOUGH || now() - since > GOOD_FOR_MS) {
        before = recent;
        recent = new Set();
        since = now();
      }
      if (recent.has(signature) || before.has(signature)) return false;
      recent.add(signature);
      return true;
    },
  };
}
