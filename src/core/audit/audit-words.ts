import type { Verified } from './audit-reader.ts';
import type { Head } from './chain.ts';

/** What a watch sees of an instance, after its name. */
export const SIGHT_WORDS = {
  error: 'reports an error',
  unhealthy: 'has been unhealthy for more than a minute',
  stopped: 'was stopped',
  paused: 'was paused',
  deleted: 'was deleted',
  created: 'was created',
} as const satisfies Readonly<Record<string, string>>;

/** Whose audit it is, before what is said of it. `isOnly`: nothing else is there to be mistaken for it. Pure. */
export function ownerWords(names: readonly string[], isOnly: boolean): string {
  if (names.length > 0) return `${names.join(' ')}: `;
  return isOnly ? '' : 'without an account: ';
}

/** What a walk through the audit came to, in one line for a terminal. Pure. */
export function auditWords({ count, head, anchor, fault }: Verified): string {
  const entries = `${count} ${count === 1 ? 'entry' : 'entries'}`;
  // Cut from the front by somebody, it looks as it does once pruned: only this line shows it.
  const begins = anchor.seq > 0 ? ` It begins after number ${anchor.seq}.` : '';
  if (!fault && head.seq === 0)
    return 'The audit is empty: nothing was recorded yet, or all of it was removed.';
  if (!fault)
    return `The audit is intact: ${entries}, the newest is number ${head.seq} with hash ${head.hash}.${begins}`;
  const place = fault.id === undefined ? 'at its end' : `at ${fault.id}`;
  return `The audit was changed: entry number ${fault.seq}, ${place}, is ${fault.what}. ${entries} before it ${count === 1 ? 'is' : 'are'} intact.${begins}`;
}

/**
 * Whether an audit leads to a head that was signed. `rewritten`: another entry stands there; `cut`: it ends before; `gone`: it begins after, as
 * where it was pruned, whatever Redis says that it was; `hidden`: a fault before keeps it from being seen.
 */
export type Standing = 'stands' | 'rewritten' | 'cut' | 'gone' | 'hidden';

/** What a walk that asked for the hash of the head's entry shows of it. Pure. */
export function standingOf({ seq, hash }: Head, { head, anchor, fault, hashes }: Verified): Standing {
  if (seq <= anchor.seq) return 'gone';
  const found = hashes.get(seq);
  if (found !== undefined) return found === hash ? 'stands' : 'rewritten';
  return fault && seq <= head.seq ? 'hidden' : 'cut';
}

/** The same in one line for a terminal. `standing`: the newest of the other heads that is seen to stand. Pure. */
export function headWords(
  head: Head,
  how: Standing,
  { head: end, anchor }: Verified,
  standing: Head | undefined,
): string {
  const { day, seq } = head;
  const since =
    standing && standing.seq < seq
      ? ` Entry number ${standing.seq} is still the one of ${standing.day}.`
      : '';
  switch (how) {
    case 'stands':
      return `${day}: entry number ${seq} is the one that was signed, so nothing that is kept up to it was changed.`;
    case 'rewritten':
      return `${day}: entry number ${seq} is not the one that was signed. An entry up to it was changed, removed or put in, and the hashes were made anew.${since}`;
    case 'cut':
      return `${day}: entry number ${seq} was signed, and the audit ends at number ${end.seq}. It was cut off.${since}`;
    case 'gone':
      return `${day}: entry number ${seq} is no longer kept, so nothing can be said of it. The audit begins after number ${anchor.seq}, which is right only if ${day} is longer ago than LAMPLIGHTER_AUDIT_KEEP: else entries were removed.`;
    case 'hidden':
      return `${day}: entry number ${seq} can't be checked, because of what was changed before it.${since}`;
  }
}
