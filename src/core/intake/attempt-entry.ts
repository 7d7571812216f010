import { entryOf } from '../audit/entry-of.ts';
import type { Entry } from '../audit/entry.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import { Refusal } from '../refusal.ts';
import type { Ask } from '../ask/ask.ts';
import { isWrite, type AuditAttempt, type Route } from './route.ts';

/** What the audit keeps of one attempt, put together while it is carried out. */
export interface AttemptEntry {
  readonly audit: AuditAttempt;
  /** The entry of an attempt that came to its end; undefined for a read, or where it has one already. */
  done(): Entry | undefined;
  /** The entry of one that ended with an error. A read is kept where it was refused for want of a right. */
  failed(error: unknown): Entry | undefined;
  /** Whether nothing is left of the request. */
  isBegun(): boolean;
}

const EXPIRED: ReadonlySet<string> = new Set(['confirmation-expired', 'button-expired', 'too-late']);
const OF_RIGHTS: ReadonlySet<string> = new Set(['no-right', 'not-checked']);

/** `now`: Redis' clock, Unix ms. */
export function createAttemptEntry(ask: Ask, route: Route, now: () => number): AttemptEntry {
  let more: Partial<Entry> = {};
  let [isRecorded, isBegun] = [false, false];
  const isChange = isWrite(route, ask.words);
  return {
    audit: (added) => {
      if (typeof added === 'object') more = { ...more, ...added };
      else [isRecorded, isBegun] = [true, added === 'begun'];
    },
    done: () =>
      isChange && !isRecorded ? entryOf(ask, 'set', now(), { result: 'done', ...more }) : undefined,
    failed: (error) => {
      const code = error instanceof Refusal ? error.code : undefined;
      if (!isChange && !OF_RIGHTS.has(code ?? '')) return undefined;
      const result = code ?? (error instanceof HostingError ? error.fault : 'error');
      const what = code === undefined ? 'failed' : EXPIRED.has(code) ? 'expired' : 'refused';
      return entryOf(ask, what, now(), { ...more, what, result });
    },
    isBegun: () => isBegun,
  };
}
