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
      const code = error instanceof Refusal ? error.code : undefined;
      if (!isChange && !OF_RIGHTS.has(code ?? '')) return undefined;
      const back = error instanceof Refusal ? askedBack(error, ask.words) : undefined;
      if (back !== undefined) return entryOf(ask, 'shown', now(), { ...more, what: 'shown', result: back });
      const result = code ?? (error instanceof HostingError ? error.fault : 'error');
      const what = code === undefined ? 'failed' : EXPIRED.has(code) ? 'expired' : 'refused';
      return entryOf(ask, what, now(), { ...more, what, result });
    },
    isBegun: () => isBegun,
  };
}

/** The entry of an attempt of which nobody knows whether an earlier run carried it out. Pure. */
export function ofUnknown(entry: Entry): Entry {
  return { ...entry, what: 'failed', result: 'unknown' };
}

/** Codes of requests that were answered with a question where they could be read in part. */
const OF_WORDS = /^(?:bad-|missing-|no-type$|no-name$|no-instance$)/;

/** What the audit says of a request that was answered by a question; undefined for one that was refused. Pure. */
function askedBack(
  { code, answer, instead }: Refusal,
  words: readonly string[],
): 'missing' | 'meant' | undefined {
  if (!OF_WORDS.test(code)) return undefined;
  const offered = instead(words);
  const isPicked = answer.picker !== undefined || answer.blanks !== undefined || answer.modal !== undefined;
  if (offered.length === 0) return isPicked ? 'missing' : undefined;
  return offered.every((list) => list.some((one) => typeof one !== 'string')) ? 'missing' : 'meant';
}
