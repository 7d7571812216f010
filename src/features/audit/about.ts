import type { Entry } from '../../core/audit/entry.ts';
import { isMeant } from '../../core/policy/pattern.ts';

export interface NounOf {
  /** The noun under which a route stands. */
  readonly nounOf: (routeId: string) => string | undefined;
}

/** People see the first eight letters of a reference. */
const SHORTEST_REFERENCE = 6;
/** "name:prod-*" */
const BY_NAME = /^name:(.+)$/i;

/** Whether a word means what an entry is about: its instance, by a pattern of names as well, its command, its agent or its reference. Pure. */
export function isAbout({ nounOf }: NounOf, entry: Entry, word: string): boolean {
  const { target, route, agent } = entry;
  const lower = word.toLowerCase();
  const [, names = word] = BY_NAME.exec(word) ?? [];
  return (
    (target !== undefined && isMeant(names.split(','), target)) ||
    target?.name.toLowerCase() === lower ||
    route.split('.').includes(lower) ||
    nounOf(route) === lower ||
    agent?.toLowerCase() === lower ||
    isOfReference(entry, word)
  );
}

/** Whether a word is the reference of an entry, or of what that is a part of, or begins one. Pure. */
export function isOfReference({ requestId, of }: Pick<Entry, 'requestId' | 'of'>, word: string): boolean {
  if (word.length < SHORTEST_REFERENCE) return false;
  return requestId.startsWith(word) || (of?.startsWith(word) ?? false);
}
