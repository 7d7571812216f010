import type { Verified } from './audit-reader.ts';

/** What a walk through the audit came to, in one line for a terminal. Pure. */
export function auditWords({ count, head, fault }: Verified): string {
  const entries = `${count} ${count === 1 ? 'entry' : 'entries'}`;
  if (!fault)
    return `The audit is intact: ${entries}, the newest is number ${head.seq} with hash ${head.hash || '(none)'}.`;
  const place = fault.id === undefined ? 'at its end' : `at ${fault.id}`;
  return `The audit was changed: entry number ${fault.seq}, ${place}, is ${fault.what}. ${entries} before it ${count === 1 ? 'is' : 'are'} intact.`;
}
