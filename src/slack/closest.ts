/** The candidate a mistyped word most likely meant: at most two changes away, and less than half of it. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase().slice(0, 40);
  const near = candidates
    .map((candidate) => ({ candidate, distance: changes(typed, candidate) }))
    .filter(({ candidate, distance }) => distance <= 2 && distance < candidate.length / 2)
    .toSorted((one, other) => one.distance - other.distance);
  return near[0]?.candidate;
}

/** How many letters must be put in, taken out, replaced or swapped with a neighbour. */
function changes(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(least);
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length] ?? 0;
}
