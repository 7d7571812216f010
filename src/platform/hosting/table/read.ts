import { STATUSES, type Status } from '../service.ts';
import type { ServiceTable } from './service-table.ts';

type Json = Record<string, unknown>;

/** A plain JSON object, not an array or null. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a dotted path of own properties; '' is the value itself. */
export function at(value: unknown, path: string): unknown {
  if (path === '') return value;
  let here = value;
  for (const step of path.split('.')) {
    if (!isObject(here) || !Object.hasOwn(here, step)) return undefined;
    here = here[step];
  }
  return here;
}

/** The list in an answer's body, wherever the service's table lets it stand; undefined when there is none. */
export function listIn(table: ServiceTable, body: unknown): unknown[] | undefined {
  const found = table.listAt.map((path) => at(body, path));
  // An empty one may be written as null, in a place of its own.
  return found.find((one) => Array.isArray(one)) ?? (body !== null && found.includes(null) ? [] : undefined);
}

/** The one record in an answer's body. An object counts as a record only when it has an id. */
export function oneIn(table: ServiceTable, body: unknown): Json | undefined {
  for (const path of table.oneAt) {
    const found = at(body, path);
    const one: unknown = Array.isArray(found) && found.length === 1 ? found[0] : found;
    if (isObject(one) && Object.hasOwn(one, 'id')) return one;
  }
  return undefined;
}

/** A record with the service's field names turned into the documented ones; the same one where they are those. */
export function renamed(table: ServiceTable, record: unknown): unknown {
  if (!isObject(record)) return record;
  let result = record;
  for (const [field, names] of Object.entries(table.fields)) {
    const name = names.find((candidate) => Object.hasOwn(record, candidate) && record[candidate] !== null);
    if (name === undefined || name === field) continue;
    if (result === record) result = { ...record };
    result[field] = record[name];
  }
  return result;
}

/** A service's word for a status as one of the bot's: any case, `-`, `_` or space between words. */
export function statusOf(table: ServiceTable, word: string): Status | 'unknown' {
  const asWritten = (words: string): Status | undefined =>
    STATUSES.find((status) => table.statuses[status].includes(words));
  return asWritten(word) ?? asWritten(normal(word)) ?? 'unknown';
}

/** Whether one of these words is meant. */
export function isOneOf(words: readonly string[] = [], word = ''): boolean {
  return words.includes(normal(word));
}

function normal(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
}
