import type { Recorded } from '../../core/audit/audit-reader.ts';
import type { Entry } from '../../core/audit/entry.ts';

/** One line of a story: an entry of the audit, and those that say the same of others or how it ended. */
export interface StoryLine {
  /** The numbers of the entries that it tells, in their order. */
  readonly seqs: readonly number[];
  readonly entry: Entry;
  /** How it ended, where nothing else happened in between. */
  readonly end?: Entry;
  /** The same of others at once: instances that one incident is about. */
  readonly others: readonly Entry[];
}

/** The route by which somebody takes over what was another's: an entry for each instance of it. */
export const TAKEN_OVER = 'handover.take';

/** What waits for a second person is told; what was only shown, or tried, is not. */
const WAITS = 'waits for approval';

/** Whether an entry is a part of any story. What changed nothing and was seen by one person alone is none. Pure. */
export function isTold({ what, result }: Entry): boolean {
  if (what === 'dry run' || what === 'pruned') return false;
  return what !== 'shown' || result === WAITS;
}

/** Entries as a story, in the order of their numbers, which is that in which they were written. Pure. */
export function storyOf(recorded: readonly Recorded[]): readonly StoryLine[] {
  const lines: StoryLine[] = [];
  for (const { seq, entry } of recorded.toSorted((one, other) => one.seq - other.seq)) {
    const last = lines.at(-1);
    const joined = last && joinedTo(last, seq, entry);
    if (joined) lines[lines.length - 1] = joined;
    else lines.push({ seqs: [seq], entry, others: [] });
  }
  return lines;
}

/** The line with one more entry; undefined where that is a line of its own. */
function joinedTo(line: StoryLine, seq: number, entry: Entry): StoryLine | undefined {
  const { entry: first, end, others } = line;
  if (first.requestId !== entry.requestId) return undefined;
  const seqs = [...line.seqs, seq];
  if (first.what === 'asked' && entry.what === 'ended' && !end) return { ...line, seqs, end: entry };
  const isAlike = (['what', 'result', 'at', 'tookMs'] as const).every(
    (field) => first[field] === entry[field],
  );
  const isOfSeveral = first.what === 'seen' || first.what === 'over' || first.route === TAKEN_OVER;
  return isOfSeveral && isAlike && entry.target ? { ...line, seqs, others: [...others, entry] } : undefined;
}

/** Who is told what: each by the rights that the list and the history of the audit go by. */
export interface Sight {
  /** They may see this instance. */
  readonly maySee: (target: NonNullable<Entry['target']>) => boolean;
  /** They may see what is spent. */
  readonly maySeeMoney: boolean;
  /** They may read the audit of this instance, or of everything. */
  readonly mayAudit: (about: NonNullable<Entry['target']> | 'all') => boolean;
}

/** Whether an entry is about alerts of what is spent. Pure. */
export function isOfMoney({ route, of, what }: Entry): boolean {
  const isAnswered = what === 'set' && of !== undefined;
  return route.startsWith('billing.') && (isAnswered || what === 'seen' || what === 'over');
}

/** Whether an entry says no more than its channel reads of it anyway: what began, ended, was approved or was seen. Pure. */
export function isPublic(entry: Entry): boolean {
  const { what, route, of } = entry;
  if (isOfMoney(entry)) return true;
  switch (what) {
    case 'asked':
    case 'ended':
    case 'approved':
    case 'seen':
    case 'over':
    case 'shown':
      return true;
    case 'expired':
      return of !== undefined;
    case 'set':
      return of !== undefined || /^(?:approval|schedules)\./.test(route) || route === TAKEN_OVER;
    default:
      return false;
  }
}

/** Whether somebody may be told an entry by itself. Pure. */
function isTheirs(entry: Entry, { maySee, maySeeMoney, mayAudit }: Sight): boolean {
  const { target } = entry;
  if (mayAudit(target ?? 'all')) return true;
  if (isOfMoney(entry)) return maySeeMoney;
  return target !== undefined && isPublic(entry) && maySee(target);
}

/** An answer to an incident of several: it is told with what somebody sees of that. */
function isAnswer({ what, of, target, route }: Entry): boolean {
  return what === 'set' && of !== undefined && target === undefined && route.startsWith('instances.');
}

/** Whether somebody may be told an entry, by itself or with another. Pure. */
export function mayBeTold(entry: Entry, sight: Sight): boolean {
  return isTheirs(entry, sight) || isAnswer(entry);
}

/** Those of the entries that somebody may be told. Pure. */
export function seenBy(recorded: readonly Recorded[], sight: Sight): readonly Recorded[] {
  const theirs = new Set(recorded.filter(({ entry }) => isTheirs(entry, sight)));
  const refs = new Set([...theirs].map(({ entry: { requestId } }) => requestId));
  return recorded.filter((one) => theirs.has(one) || (isAnswer(one.entry) && refs.has(one.entry.of ?? '')));
}
