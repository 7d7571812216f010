/** Items by their key, in order. The platform's own Map.groupBy is younger than Node 20. */
export function group<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const mine = groups.get(keyOf(item));
    if (mine) mine.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
