import { followed, type Paging, type PageCursor, withQuery } from '../paging.ts';
import type { PageRef } from '../service.ts';
import { type ServiceTable, at, isObject } from './service-table.ts';

/** What a header field may hold, so that nothing else is ever sent back as one. */
const FIELD_VALUE = /^[\x20-\x7e]{1,500}$/;

/** One page, and what its answer says of itself. */
interface Page {
  readonly names: ServiceTable['paging'];
  readonly place: PageCursor;
  readonly here: PageRef;
  readonly url: URL;
  readonly answer: PageAnswer;
  readonly fields: PageFields;
  readonly range: Range | undefined;
  readonly count: number;
  readonly total: number | undefined;
  readonly current: number;
  readonly last: number | undefined;
}

/**
 * Where the list of an answer goes on, which was asked for as `here` and holds `count` items. Whichever way of paging is
 * present is followed, if the table tells how; a link that leads elsewhere is not. Pure.
 */
export function readPaging(
  table: ServiceTable,
  place: PageCursor,
  here: PageRef,
  answer: PageAnswer,
  count: number,
): Paging {
  const { paging: names } = table;
  const fields = createPageFields(table, answer);
  const url = new URL(here.path, place.origin);
  const range = rangeOf(answer.headers['content-range']);
  const pageCount = fields.number(names.totalOrPage);
  const total =
    fields.number(names.total, names.headers.total) ??
    range?.total ??
    (pageCount !== undefined && pageCount > count ? pageCount : undefined);
  const asked = wholeNumber(url.searchParams.get('page') ?? undefined);
  const current = fields.number(names.page, names.headers.page) ?? asked ?? 1;
  const last = fields.number(names.lastPage, names.headers.lastPage);
  const page: Page = { names, place, here, url, answer, fields, range, count, total, current, last };
  return { total, isFull: isFull(page), next: nextOf(page) };
}

function isFull({ names, fields, url, count }: Page): boolean {
  const size = fields.number(names.size, names.headers.size);
  const wanted = wholeNumber(url.searchParams.get('per_page') ?? undefined) ?? Number.POSITIVE_INFINITY;
  // Services have a most of their own, whatever size was asked for.
  const isCommon = count >= wanted || names.commonSizes.includes(count);
  return count > 0 && (size === undefined ? isCommon : count >= size);
}

function nextOf(page: Page): Paging['next'] {
  const more = page.fields.all(page.names.hasMore).find((value) => value !== undefined && value !== null);
  if (more === false || more === 'false') return 'last';
  const named = byToken(page) ?? byLink(page) ?? byRange(page) ?? byNumber(page);
  if (named !== undefined) return named;
  if (more === true || more === 'true') return 'unknown';
  // Part of a list, at the first request for it.
  if (page.answer.status === 206 && page.here.range === undefined) return 'unknown';
  return saysLast(page) ? 'last' : 'silent';
}

function byToken({ names, fields, url }: Page): PageRef | undefined {
  for (const [parameter, tokens] of Object.entries(names.tokens)) {
    const value = fields.word(tokens);
    if (value !== undefined) return withQuery(url, parameter, value);
  }
  const value = fields.header(names.headers.token);
  return value === undefined ? undefined : withQuery(url, names.linkToken, value);
}

function byLink({ names, fields, url, answer, current, place, here }: Page): PageRef | 'unknown' | undefined {
  const named = fields.word(names.link);
  const value = named ?? nextInLink(answer.headers['link']);
  if (value === undefined) return undefined;
  if (named !== undefined && wholeNumber(named) === current + 1) return withQuery(url, 'page', named);
  if (named !== undefined && !isLink(named, url)) return withQuery(url, names.linkToken, named);
  return followed(String(value), { ...place, here });
}

function byRange({ here, answer, range }: Page): PageRef | 'unknown' | undefined {
  const named = answer.headers['next-range'];
  if (named !== undefined && named !== '')
    return FIELD_VALUE.test(named) ? { path: here.path, range: named } : 'unknown';
  if (!range || range.total === undefined || range.last + 1 >= range.total) return undefined;
  const from = range.last + 1;
  const unit = range.unit === '' ? '' : `${range.unit}=`;
  return { path: here.path, range: `${unit}${from}-${from + (range.last - range.first)}` };
}

function byNumber({ names, fields, url, count, total, current, last }: Page): PageRef | undefined {
  const next = fields.word(names.nextPage) ?? fields.header(names.headers.nextPage);
  if (next !== undefined) return withQuery(url, 'page', next);
  if (last !== undefined && current < last) return withQuery(url, 'page', current + 1);
  if (total === undefined || count === 0) return undefined;
  for (const name of names.offset) {
    const offset = fields.number([name]);
    if (offset !== undefined && offset + count < total) return withQuery(url, name, offset + count);
  }
  return undefined;
}

/** Whether it uses one of the ways to name a next page, and names none. */
function saysLast({ names, fields, answer, range, last }: Page): boolean {
  const ways = [...Object.values(names.tokens).flat(), ...names.link, ...names.nextPage];
  return (
    last !== undefined ||
    answer.headers['link'] !== undefined ||
    range?.total !== undefined ||
    fields.all(ways).some((value) => value === null || value === '')
  );
}

/** Whether a text is meant as a URL, and not as a token that only looks like a path. */
function isLink(value: Word, here: URL): boolean {
  const text = String(value);
  const [, first = ''] = here.pathname.split('/');
  return (
    /^[a-z][a-z0-9+.-]*:/i.test(text) ||
    /^[/\\]{2}/.test(text) ||
    text.includes('?') ||
    text.startsWith(`/${first}/`)
  );
}

interface Range {
  readonly unit: string;
  readonly first: number;
  readonly last: number;
  readonly total: number | undefined;
}

/** `items 0-24/60`, `0-24/*`: a part of the list and how long that is. */
function rangeOf(header: string | undefined): Range | undefined {
  const [, unit = '', first, last, total] =
    /^(?:([a-z]{1,20})[ =])?(\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || unit.toLowerCase() === 'bytes') return undefined;
  return { unit, first: Number(first), last: Number(last), total: wholeNumber(total) };
}

const MAX_CHARACTERS = 4_000;

/** The target of the first link of a Link header (RFC 8288) that is a `next`; undefined where there is none. */
function nextInLink(header: string | undefined): string | undefined {
  if (header === undefined || header.length > MAX_CHARACTERS) return undefined;
  let from = 0;
  for (;;) {
    const open = header.indexOf('<', from);
    const close = open === -1 ? -1 : header.indexOf('>', open);
    if (close === -1) return undefined;
    const end = endOfLink(header, close + 1);
    const rel = /(?:^|;)\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(header.slice(close + 1, end));
    const relations = (rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next')) return header.slice(open + 1, close);
    from = end;
  }
}

/** Where the parameters of a link end: at a comma that is not in quotation marks. */
function endOfLink(header: string, from: number): number {
  let isQuoted = false;
  for (let index = from; index < header.length; index++) {
    if (header[index] === '"') isQuoted = !isQuoted;
    else if (header[index] === ',' && !isQuoted) return index;
  }
  return header.length;
}

export interface PageAnswer {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

type Word = string | number;

/** What an answer says of its page, by the names that services give to it. The first that says something counts. */
interface PageFields {
  /** Every value of such a field, in each place where paging may stand. */
  all(names: readonly string[]): unknown[];
  header(names: readonly string[]): string | undefined;
  word(names: readonly string[]): Word | undefined;
  number(names: readonly string[], headers?: readonly string[]): number | undefined;
}

function createPageFields({ paging }: ServiceTable, answer: PageAnswer): PageFields {
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
function wholeNumber(value: unknown): number | undefined {
  const isDigits = typeof value === 'string' && /^\d{1,15}$/.test(value);
  const result = isDigits ? Number(value) : value;
  return typeof result === 'number' && Number.isSafeInteger(result) && result >= 0 ? result : undefined;
}
