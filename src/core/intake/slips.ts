import { closest } from '../ask/closest.ts';
import type { RefusalCode } from '../refusal-words.ts';
import { looksLikeName } from '../sentences/read-name.ts';
import type { Understood } from '../sentences/understood.ts';
import type { RouteTable } from './routes.ts';

/** Refusals that say only that a word is no name and no verb: the line may mean something else altogether. */
export const NO_NAME: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'unknown-word',
  'no-such-verb',
  'unknown-verb',
  'no-such-name',
  'no-such-instance',
]);
/** Those that say what is wrong with a command: only another reading of the whole line is better than that. */
export const SLIPS: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  ...NO_NAME,
  'no-such-topic',
  'no-such-favorite',
  'no-such-addon',
  'no-name',
  'no-instance',
  'no-type',
  'bad-type',
  'bad-argument',
  'bad-option',
  'bad-filter',
  'bad-schedule',
  'bad-grant',
  'bad-freeze',
  'bad-thaw',
  'bad-alerts',
  'bad-last',
  'bad-usage',
  'bad-set',
  'bad-snooze',
  'bad-favorite',
  // "Stop the digest" is no power action, and needs no right to one.
  'no-right',
]);

/** Of these a command says itself which of its words it doesn't know, or offers what may be meant. */
export const SAYS_WHICH: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'bad-filter',
  'bad-freeze',
  'bad-thaw',
  'bad-grant',
  'bad-schedule',
]);

/** Whether the word that an answer leaves out first is a slip from a verb: which one is meant is asked, with what was typed behind it. */
export function isSlipOfVerb({ byId }: Pick<RouteTable, 'byId'>, understood: Understood): boolean {
  if (understood.what !== 'read') return false;
  const [first] = understood.unread;
  const verbs = [...byId.values()].flatMap(({ usage, verb }) => (usage === undefined ? [] : [verb]));
  return first !== undefined && !looksLikeName(first) && closest(first, verbs) !== undefined;
}

/** Whether a line may be about instances that nobody knows. */
export function mayName(understood: Understood | undefined): boolean {
  if (understood === undefined || understood.what === 'which') return true;
  return understood.what === 'read' && understood.words.some(looksLikeName);
}
