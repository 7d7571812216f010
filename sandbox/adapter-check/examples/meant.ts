import { isDeepStrictEqual } from 'node:util';

/** What differs between what an example means and what was read in it, by the fields that it names; empty for nothing. Pure. */
export function differences(means: object, read: object | undefined): readonly string[] {
  if (!read) return ['nothing was read'];
  const got = Object.fromEntries(Object.entries(read));
  return Object.entries(means)
    .filter(([field, value]) => !isDeepStrictEqual(got[field], value))
    .map(([field, value]) => `${field} is ${inWords(got[field])} and means ${inWords(value)}`);
}

/** The same of several, one after the other. */
export function differencesOfAll(means: readonly object[], read: readonly object[]): readonly string[] {
  if (means.length !== read.length) return [`${read.length} were read of ${means.length}`];
  return means.flatMap((one, nth) => differences(one, read[nth]));
}

/** A value as a line says it. */
export function inWords(value: unknown): string {
  return value === undefined ? 'missing' : (JSON.stringify(value) ?? typeof value).slice(0, 80);
}
