import type { Entry } from './entry.ts';

/** One attempt with its end, where it had one. Pure. */
export interface Attempt {
  readonly entry: Entry;
  readonly end: Entry | undefined;
}

/** Entries, newest first, as attempts: the end of one stands with its beginning, which may be left out by a filter. */
export function attemptsOf(entries: readonly Entry[]): readonly Attempt[] {
  const ends = new Map(entries.filter(({ what }) => what === 'ended').map((entry) => [entry.ref, entry]));
  const begun = new Set(entries.filter(({ what }) => what === 'asked').map(({ ref }) => ref));
  return entries
    .filter(({ what, ref }) => what !== 'ended' || !begun.has(ref))
    .map((entry) => ({ entry, end: entry.what === 'asked' ? ends.get(entry.ref) : undefined }));
}

/** How an attempt went, in a word or two. Pure. */
export function resultOf({ entry, end }: Attempt): string {
  if (entry.what === 'asked') return end?.result ?? 'under way';
  if (entry.what === 'ended') return entry.result ?? 'ended';
  if (entry.what === 'refused' || entry.what === 'failed')
    return `${entry.what} (${entry.result ?? 'error'})`;
  return entry.what === 'set' ? 'done' : entry.what;
}
