import { FAULT_WORDS, OUTCOME_WORDS } from '../outcome-words.ts';
import { REFUSAL_WORDS } from '../refusal-words.ts';
import type { Entry } from './entry.ts';

/** One attempt with its end, where it had one. Pure. */
export interface Attempt {
  readonly entry: Entry;
  readonly end: Entry | undefined;
}

/** Whether somebody attempted it, or it ends such an attempt; nobody attempts what the bot saw by itself. Pure. */
export function isOfAttempt({ what }: Pick<Entry, 'what'>): boolean {
  return what !== 'seen' && what !== 'over';
}

/** Entries, newest first, as attempts: the end of one stands with its beginning, which may be left out by a filter. */
export function attemptsOf(entries: readonly Entry[]): readonly Attempt[] {
  const ends = new Map(
    entries.filter(({ what }) => what === 'ended').map((entry) => [entry.requestId, entry]),
  );
  const begun = new Set(entries.filter(({ what }) => what === 'asked').map(({ requestId }) => requestId));
  return entries
    .filter(({ what, requestId }) => what !== 'ended' || !begun.has(requestId))
    .map((entry) => ({ entry, end: entry.what === 'asked' ? ends.get(entry.requestId) : undefined }));
}

const WHAT_WORDS: Readonly<Record<Entry['what'], string>> = {
  asked: 'under way',
  shown: 'waiting to be confirmed',
  'dry run': 'a dry run',
  refused: 'refused',
  failed: 'failed',
  expired: 'expired',
  set: 'done',
  approved: 'done',
  ended: 'ended',
  pruned: 'done',
  seen: 'seen',
  over: 'over',
};

/** What the audit writes down as the result besides codes. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  'waits for approval': 'waiting for approval',
  missing: 'not done: it asked back for what was missing',
  meant: 'not done: it asked back what was meant',
  'not-approved': 'nobody approved it',
  thawed: 'the freeze was over',
  'not-run': 'it could not be run in time',
  error: 'something went wrong in the bot',
};

/** How an attempt went, in plain words: "refused: they have no right to it". Pure. */
export function resultOf({ entry, end }: Attempt): string {
  const { what, result } = entry;
  if (what === 'ended') return endWords(entry);
  if (what === 'asked') return end ? endWords(end) : WHAT_WORDS.asked;
  if (what === 'shown') return wordsOf(OTHER_WORDS, result) ?? WHAT_WORDS.shown;
  if (what !== 'refused' && what !== 'failed' && what !== 'expired') return WHAT_WORDS[what];
  const why =
    wordsOf(REFUSAL_WORDS, result) ?? wordsOf(FAULT_WORDS, result) ?? wordsOf(OTHER_WORDS, result) ?? result;
  return why === undefined ? WHAT_WORDS[what] : `${WHAT_WORDS[what]}: ${why}`;
}

/** "unknown: the answer was lost", and what the service said itself. */
function endWords({ result = WHAT_WORDS.ended, answer = '' }: Entry): string {
  const [code = '', said] = answer.split(/: (.*)/s);
  const why = wordsOf(OUTCOME_WORDS, code) ?? code;
  const words = why === '' ? result : `${result}: ${why}`;
  return said ? `${words}. The service said: "${said}"` : words;
}

/** The words of a code that an entry holds; undefined for one that isn't known. */
function wordsOf(table: Readonly<Record<string, string>>, code: string | undefined): string | undefined {
  return code !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
}
