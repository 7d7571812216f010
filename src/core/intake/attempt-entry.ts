import { entryOf, type Entry } from '../audit/entry.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import { isRefusalOf, Refusal } from '../refusal.ts';
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

/** `now`: Redis' clock, Unix ms. */
export function createAttemptEntry(ask: Ask, route: Pick<Route, 'writes'>, now: () => number): AttemptEntry {
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
      const isOfRight = error instanceof Refusal && isRefusalOf(error.code, 'right');
      if (!isChange && !isOfRight) return undefined;
      const came = cameOf(error, ask.words);
      return entryOf(ask, came.what, now(), { ...more, ...came });
    },
    isBegun: () => isBegun,
  };
}

/** The entry of an attempt of which nobody knows whether an earlier run carried it out. Pure. */
export function ofUnknown(entry: Entry): Entry {
  return { ...entry, what: 'failed', result: 'unknown' };
}

/** What the audit says of an attempt that ended with an error. */
function cameOf(error: unknown, words: readonly string[]): Pick<Entry, 'what' | 'result'> {
  if (!(error instanceof Refusal))
    return { what: 'failed', result: error instanceof HostingError ? error.fault : 'error' };
  const back = askedBack(error, words);
  if (back !== undefined) return { what: 'shown', result: back };
  return { what: isRefusalOf(error.code, 'expired') ? 'expired' : 'refused', result: error.code };
}

/** What the audit says of a request that was answered by a question; undefined for one that was refused. Pure. */
function askedBack(
  { code, answer, instead }: Refusal,
  words: readonly string[],
): 'missing' | 'meant' | undefined {
  if (!isRefusalOf(code, 'question')) return undefined;
  const offered = instead(words);
  const isPicked = answer.picker !== undefined || answer.blanks !== undefined || answer.modal !== undefined;
  if (offered.length === 0) return isPicked ? 'missing' : undefined;
  return offered.every((list) => list.some((one) => typeof one !== 'string')) ? 'missing' : 'meant';
}
