/** Gives message timestamps: seconds and six digits, each greater than the one before, even on a still clock. */
export function createTimestamps(clock: () => number): () => string {
  let last = 0;
  return () => {
    last = Math.max(last + 1, Math.floor(clock() * 1000));
    return `${Math.floor(last / 1_000_000)}.${String(last % 1_000_000).padStart(6, '0')}`;
  };
}
