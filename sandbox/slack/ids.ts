/** Makes ids as Slack's: a letter or two and a counter in capitals; the same in every run. */
export function createIds(): (prefix: string) => string {
  const counters = new Map<string, number>();
  return (prefix) => {
    const next = (counters.get(prefix) ?? 0) + 1;
    counters.set(prefix, next);
    return prefix + next.toString(36).toUpperCase().padStart(9, '0');
  };
}
