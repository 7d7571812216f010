import { FAULT_WORDS, OUTCOME_WORDS } from '../outcome-words.ts';
import { refusalWords } from '../refusal.ts';
import type { AuditReader } from './audit-reader.ts';
import type { Entry } from './entry.ts';

/** One attempt with its end, where it had one. */
export interface Attempt {
  readonly entry: Entry;
  readonly end: Entry | undefined;
}

/** As many attempts as anybody reads through. */
const MAX_READ = 500;

/**
 * The newest attempts between two moments (Unix ms) that pass, newest first; `isCut`: there may be more. The end of one stands with its
 * beginning, and alone where that doesn't pass, as when somebody else canceled it.
 */
export async function readAttempts(
  { auditReader }: { readonly auditReader: AuditReader },
  { since, until }: { readonly since: number; readonly until: number },
  passes: (attempt: Attempt) => boolean,
): Promise<{ readonly attempts: readonly Attempt[]; readonly isCut: boolean }> {
  const found: Attempt[] = [];
  // An end comes before its beginning on the way back.
  const ends = new Map<string, Entry>();
  const shown = new Set<Entry>();
  const see = (entry: Entry): boolean => {
    const { what, at, requestId } = entry;
    if (what === 'ended') ends.set(requestId, entry);
    const end = what === 'asked' ? ends.get(requestId) : undefined;
    if (end) ends.delete(requestId);
    const attempt = { entry, end };
    // What the bot saw by itself, nobody attempted.
    if (what === 'seen' || what === 'over' || at > until || !passes(attempt)) return false;
    found.push(attempt);
    if (end) shown.add(end);
    return what !== 'ended';
  };
  const { length } = await auditReader.read(see, { limit: MAX_READ, since });
  return { attempts: found.filter(({ entry }) => !shown.has(entry)), isCut: length === MAX_READ };
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
  if (what === 'shown') return wordsOfCode(OTHER_WORDS, result) ?? WHAT_WORDS.shown;
  if (what !== 'refused' && what !== 'failed' && what !== 'expired') return WHAT_WORDS[what];
  const why = refusalWords(result) ?? wordsOfCode({ ...FAULT_WORDS, ...OTHER_WORDS }, result) ?? result;
  return why === undefined ? WHAT_WORDS[what] : `${WHAT_WORDS[what]}: ${why}`;
}

/** "unknown: the answer was lost", and what the service said itself. */
function endWords({ result = WHAT_WORDS.ended, answer = '' }: Entry): string {
  const [code = '', said] = answer.split(/: (.*)/s);
  const why = wordsOfCode(OUTCOME_WORDS, code) ?? code;
  const words = why === '' ? result : `${result}: ${why}`;
  return said ? `${words}. The service said: "${said}"` : words;
}

/** The words of a code that an entry holds; undefined for one that isn't known. */
function wordsOfCode(table: Readonly<Record<string, string>>, code: string | undefined): string | undefined {
  return code !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
}
