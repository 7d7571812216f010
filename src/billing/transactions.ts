import { parseArgs } from 'node:util';
import { Refusal } from '../errors.ts';
import type { Ask, Reply, Route } from '../feature.ts';
import type { PageRef } from '../hosting/next-page.ts';
import type { HostingService, Transaction } from '../hosting/service.ts';
import type { KeptWords } from '../requests/kept-words.ts';
import { type Phrase, say } from '../slack/phrase.ts';
import { resolveLoosely } from '../targets/resolve.ts';
import { nameOf } from '../targets/messages.ts';
import { createExport, type ExportDeps } from './export.ts';
import { passes, type Wanted } from './statement.ts';
import { transactionsMessage } from './transactions-messages.ts';

export interface TransactionsDeps extends ExportDeps {
  readonly keptWords: KeptWords;
}

/** The options as typed; `from` is a button's. */
interface Values {
  readonly last?: string;
  readonly type?: string;
  readonly instance?: string;
  readonly from?: string;
  readonly csv?: boolean;
}

/**
 * Where reading goes on: the service's page, counted from 1, and the place on it. `after`: the id of what was read
 * last and stood there; whatever is new since has pushed it further down, never up.
 */
interface Place {
  readonly page: number;
  readonly index: number;
  readonly after?: string;
}

const ROUTE = 'billing.transactions';
const SHOWN = 20;
const PER_PAGE = 100;
/** How much of the service's list one answer reads through. */
const MOST_PAGES = 20;
const UNITS_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** `/billing transactions [--last 30d] [--type …] [--instance …] [--csv]`: newest first, page by page or all in a file. */
export function transactionsRoute(deps: TransactionsDeps): Route {
  const exportTo = createExport(deps);
  return {
    id: ROUTE,
    verb: 'transactions',
    synonyms: ['history', 'statement', 'invoices'],
    permission: 'billing:read',
    writes: false,
    isWrittenDown: (words) => words.includes('--csv'),
    usage: '[--last 30d] [--type …] [--instance …] [--csv]',
    summary: 'what was bought and spent, newest first',
    handle: async (ask) => {
      const parsed = parseWords(await wordsOf(deps, ask));
      const asked = await filtersOf(deps, parsed.values);
      return parsed.values.csv ? exportTo(ask.actor.userId, asked) : answer(deps, parsed, asked.wanted);
    },
  };
}

/** What was typed, or what the button "Older" keeps. */
async function wordsOf({ keptWords }: TransactionsDeps, ask: Ask): Promise<readonly string[]> {
  if (ask.value === undefined || ask.value === 'newest') return ask.words;
  const kept = await keptWords.find(ask.value);
  if (!kept)
    throw new Refusal('button-expired', say`That button is too old. Ask anew with billing transactions.`);
  return kept;
}

/** What is wanted, and the same in words. */
async function filtersOf(
  { hosting, now }: TransactionsDeps,
  { last, type, instance: typed }: Values,
): Promise<{ wanted: Wanted; filters: readonly Phrase[] }> {
  const verb = { verb: 'see the transactions of', routeId: 'instances.show' };
  const instance = typed === undefined ? undefined : await resolveLoosely(hosting, verb, typed);
  return {
    wanted: {
      ...(last === undefined ? {} : { since: now() - sinceMs(last) }),
      ...(type === undefined ? {} : { type }),
      ...(instance === undefined ? {} : { instanceId: instance.id }),
    },
    filters: [
      ...(last === undefined ? [] : [say`of the last ${last}`]),
      ...(type === undefined ? [] : [say`of type "${type}"`]),
      ...(instance === undefined ? [] : [say`of ${nameOf(instance)}`]),
    ],
  };
}

async function answer(
  deps: TransactionsDeps,
  { values, filters }: ReturnType<typeof parseWords>,
  wanted: Wanted,
): Promise<Reply> {
  const { shown, next, isCut, missing } = await read(deps.hosting, wanted, placeOf(values.from));
  const keeps = next && (await deps.keptWords.keep([...filters, '--from', wordOf(next)]));
  return transactionsMessage(shown, {
    unit: deps.unit,
    isFiltered: wanted.type !== undefined || wanted.instanceId !== undefined,
    isCut,
    missing,
    asOf: deps.now(),
    older: keeps === undefined ? [] : [{ label: 'Older', routeId: ROUTE, value: keeps }],
  });
}

/** One screen of what passes, from `from` on. Throws a Refusal where what was read last isn't there any more. */
async function read(
  hosting: HostingService,
  wanted: Wanted,
  from: Place,
): Promise<{
  shown: readonly Transaction[];
  next: Place | undefined;
  isCut: boolean;
  /** Set where the list ended before all of it was read. */
  missing?: { readonly total: number | undefined };
}> {
  const shown: Transaction[] = [];
  const ids = new Set<string>();
  let last = from;
  let isBehind = from.after === undefined;
  let at: PageRef | undefined;
  for (let pages = 0, { page, index } = from; ; pages++, page++, index = 0) {
    if (pages === MOST_PAGES) return { shown, next: last, isCut: true };
    const { transactions, hasMore, total, next } = await hosting.listTransactions(page, PER_PAGE, { at });
    at = next;
    // The same again in place of what is to follow.
    if (transactions.length > 0 && transactions.every(({ id }) => ids.has(id))) {
      if (!isBehind) throw listChanged();
      return { shown, next: undefined, isCut: false, missing: { total } };
    }
    for (; index < transactions.length; index++) {
      const one = transactions[index];
      if (one === undefined) break;
      // What is new meanwhile pushes what was read onto the next page.
      if (ids.has(one.id)) continue;
      const place = { page, index, after: one.id };
      if (isBehind) {
        // Newest first: from here on all are older.
        if (wanted.since !== undefined && Date.parse(one.createdAt) < wanted.since)
          return { shown, next: undefined, isCut: false };
        const isWanted = passes(one, wanted);
        if (isWanted && shown.length === SHOWN) return { shown, next: last, isCut: false };
        if (isWanted) shown.push(one);
      }
      isBehind ||= one.id === from.after;
      if (isBehind) last = place;
      ids.add(one.id);
    }
    if (!isBehind && (!hasMore || pages + 1 === MOST_PAGES)) throw listChanged();
    if (!hasMore) {
      const isMissing = from.page === 1 && total !== undefined && ids.size < total;
      return { shown, next: undefined, isCut: false, ...(isMissing ? { missing: { total } } : {}) };
    }
  }
}

/** Throws a Refusal for an option there is none of. `filters`: the words without the place. */
function parseWords(words: readonly string[]): { values: Values; filters: readonly string[] } {
  try {
    const option = { type: 'string' } as const;
    const { values } = parseArgs({
      args: [...words],
      options: { last: option, type: option, instance: option, from: option, csv: { type: 'boolean' } },
    });
    const { from: _from, csv: _csv, ...filters } = values;
    return { values, filters: Object.entries(filters).flatMap(([name, value]) => [`--${name}`, value]) };
  } catch {
    throw new Refusal(
      'bad-option',
      say`I can't read that. The options are --last 30d, --type purchase, --instance web-1 and --csv, as in billing transactions --last 7d.`,
    );
  }
}

function wordOf({ page, index, after }: Place): string {
  return [page, index, ...(after === undefined ? [] : [after])].join('.');
}

function placeOf(from: string | undefined): Place {
  const [, page = '1', index = '0', after] = /^(\d{1,7})\.(\d{1,3})(?:\.(.+))?$/s.exec(from ?? '') ?? [];
  const place = { page: Math.max(1, Number(page)), index: Number(index) };
  return after === undefined ? place : { ...place, after };
}

/** To go on anywhere else would show something twice or leave something out. */
function listChanged(): Refusal {
  return new Refusal(
    'list-changed',
    say`The list has changed so much that I can't go on from where you were. Ask anew with billing transactions.`,
  );
}

function sinceMs(last: string): number {
  const [, count = '', unit = ''] = /^(\d{1,4})([hdw])$/.exec(last) ?? [];
  const unitMs = UNITS_MS[unit];
  if (unitMs === undefined)
    throw new Refusal('bad-last', say`I can't read "${last}". Say --last 30d, 12h or 4w.`);
  return Number(count) * unitMs;
}
