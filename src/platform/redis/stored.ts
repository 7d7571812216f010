import type { z } from 'zod';
import { newId } from '../id.ts';

/**
 * The format of the texts that this version writes. Raise it where the version before would read one wrongly, or would lose by
 * writing it again what this one needs: it leaves such a text to processes of this one.
 */
export const FORMAT = 1;

/** What a newer version of the bot wrote, in a format that this one doesn't read. */
export class NewerFormat extends Error {
  constructor(format: number) {
    super(`reading what a newer version wrote, in format ${format}: this one reads ${FORMAT}`);
    this.name = 'NewerFormat';
  }
}

/** A value as the text that stands in Redis, with its format. */
export function toStored(value: object, format = FORMAT): string {
  return JSON.stringify({ format, ...value });
}

/**
 * What `toStored` made a text of. Fields that are not in the schema are left out. Throws NewerFormat where a newer version wrote it so
 * that this one doesn't read it, and a ZodError where it doesn't fit the schema.
 */
export function readStored<T>(schema: z.ZodType<T>, text: string): T {
  const value: unknown = JSON.parse(text);
  const format = formatIn(value);
  if (format > FORMAT) throw new NewerFormat(format);
  return schema.parse(value);
}

/** The format of a text in Redis; 0 for one that has none. */
export function formatOf(text: string): number {
  return formatIn(JSON.parse(text));
}

function formatIn(value: unknown): number {
  const has = typeof value === 'object' && value !== null && 'format' in value;
  return has && typeof value.format === 'number' ? value.format : 0;
}

/**
 * A version stands beside each record: how often it was written, and a word that only this one write has. A replica that took over may
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
