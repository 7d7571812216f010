import { newId } from '../id.ts';

/**
 * What stands beside each record: how often it was written, and a word that only this one write has. A replica that took over may
 * lack the last writes, and what is written there next has the same number; by the word nobody takes it for what was lost.
 */

const WORD_LENGTH = 8;

/** The next version of a record that stands under `version`. */
export function versionAfter(version: string): string {
  return `${timesWritten(version) + 1}.${newId().slice(0, WORD_LENGTH)}`;
}

/** How often a record was written by the time it had this version. Pure. */
export function timesWritten(version: string): number {
  return Number.parseInt(version, 10);
}
