import { at, isObject } from './read.ts';
import type { ServiceTable } from './service-table.ts';

export interface PageAnswer {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export type Word = string | number;

/** What an answer says of its page, by the names that services give to it. The first that says something counts. */
export interface PageFields {
  /** Every value of such a field, in each place where paging may stand. */
  all(names: readonly string[]): unknown[];
  header(names: readonly string[]): string | undefined;
  word(names: readonly string[]): Word | undefined;
  number(names: readonly string[], headers?: readonly string[]): number | undefined;
}

export function createPageFields({ paging }: ServiceTable, answer: PageAnswer): PageFields {
  const places = paging.places.map((place) => at(answer.body, place)).filter(isObject);
  const all: PageFields['all'] = (names) => places.flatMap((place) => names.map((name) => at(place, name)));
  const header: PageFields['header'] = (names) =>
    names.map((name) => answer.headers[name]).find((value) => value !== undefined && value !== '');
  return {
    all,
    header,
    word: (names) => all(names).find(isWord),
    number: (names, headers = []) =>
      [...all(names), header(headers)].map(wholeNumber).find((value) => value !== undefined),
  };
}

function isWord(value: unknown): value is Word {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

/** A count, as a number or in digits; undefined for anything else. */
export function wholeNumber(value: unknown): number | undefined {
  const isDigits = typeof value === 'string' && /^\d{1,15}$/.test(value);
  const result = isDigits ? Number(value) : value;
  return typeof result === 'number' && Number.isSafeInteger(result) && result >= 0 ? result : undefined;
}
