import type { Verified } from './audit-reader.ts';

/** Whose audit it is, before what is said of it. `isOnly`: nothing else is there to be mistaken for it. Pure. */
export function ownerWords(names: readonly string[], isOnly: boolean): string {
  if (names.length > 0) return `${names.join(' ')}: `;
  return isOnly ? '' : 'without an account: ';
}

/** What a walk through the audit came to, in one line for a terminal. Pure. */
export function auditWords({ count, head, fault }: Verified): string {
  const entries = `${count} ${count === 1 ? 'entry' : 'entries'}`;
  if (!fault)
    return `The audit is intact: ${entries}, the newest is number ${head.seq} with hash ${head.hash || '(none)'}.`;
  const place = fault.id === undefined ? 'at its end' : `at ${fault.id}`;
  return `The audit was changed: entry number ${fault.seq}, ${place}, is ${fault.what}. ${entries} before it ${count === 1 ? 'is' : 'are'} intact.`;
}
