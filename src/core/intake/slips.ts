import type { RefusalCode } from '../refusal-words.ts';

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
