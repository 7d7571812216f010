import { parseArgs } from 'node:util';
import { Refusal } from '../errors.ts';
import type { Ask, Reply, Route } from '../feature.ts';
import type { HostingService, Transaction } from '../hosting/service.ts';
import type { KeptWords } from '../requests/kept-words.ts';
import { say } from '../slack/phrase.ts';
import { resolveLoosely } from '../targets/resolve.ts';
import type { BillingDeps } from './balance.ts';
import { passes, type Wanted } from './statement.ts';
import { transactionsMessage } from './transactions-messages.ts';

export interface TransactionsDeps extends BillingDeps {
  readonly keptWords: KeptWords;
}

/** Where reading goes on: the service's page, counted from 1, and the place on it. */
interface Place {
  readonly page: number;
  readonly index: number;
}

const ROUTE = 'billing.transactions';
const SHOWN = 20;
const PER_PAGE = 100;
/** How much of the service's list one answer reads through. */
const MOST_PAGES = 20;
const UNITS_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** `/billing transactions [--last 30d] [--type …] [--instance …]`: newest first, page by page. */
export function transactionsRoute(deps: TransactionsDeps): Route {
  return {
    id: ROUTE,
    verb: 'transactions',
    permission: 'billing:read',
    writes: false,
    usage: '[--last 30d] [--type …] [--instance …]',
    summary: 'what was bought and spent, newest first',
    handle: async (ask) => answer(deps, await wordsOf(deps, ask)),
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

async function answer(deps: TransactionsDeps, words: readonly string[]): Promise<Reply> {
  const { values, filters } = parseWords(words);
  const instance =
    values.instance === undefined
      ? undefined
      : await resolveLoosely(
          deps.hosting,
          { verb: 'see the transactions of', routeId: 'instances.show' },
          values.instance,
        );
  const wanted: Wanted = {
    ...(values.last === undefined ? {} : { since: deps.now() - sinceMs(values.last) }),
    ...(values.type === undefined ? {} : { type: values.type }),
    ...(instance === undefined ? {} : { instanceId: instance.id }),
  };
  const { shown, next, isCut } = await read(deps.hosting, wanted, placeOf(values.from));
  const keeps = next && (await deps.keptWords.keep([...filters, '--from', `${next.page}.${next.index}`]));
  return transactionsMessage(shown, {
    unit: deps.unit,
    isFiltered: values.type !== undefined || instance !== undefined,
    isCut,
    asOf: deps.now(),
    older: keeps === undefined ? [] : [{ label: 'Older', routeId: ROUTE, value: keeps }],
  });
}

/** One screen of what passes, from `from` on. */
async function read(
  hosting: HostingService,
  wanted: Wanted,
  from: Place,
): Promise<{ shown: readonly Transaction[]; next: Place | undefined; isCut: boolean }> {
  const shown: Transaction[] = [];
  for (let pages = 0, { page, index } = from; ; pages++, page++, index = 0) {
    if (pages === MOST_PAGES) return { shown, next: { page, index }, isCut: true };
    const { transactions, hasMore } = await hosting.listTransactions(page, PER_PAGE);
    for (; index < transactions.length; index++) {
      const one = transactions[index];
      if (one === undefined) break;
      // Newest first: from here on all are older.
      if (wanted.since !== undefined && Date.parse(one.createdAt) < wanted.since)
        return { shown, next: undefined, isCut: false };
      if (!passes(one, wanted)) continue;
      if (shown.length === SHOWN) return { shown, next: { page, index }, isCut: false };
      shown.push(one);
    }
    if (!hasMore) return { shown, next: undefined, isCut: false };
  }
}

/** Throws a Refusal for an option there is none of. `filters`: the words without the place. */
function parseWords(words: readonly string[]): {
  values: { last?: string; type?: string; instance?: string; from?: string };
  filters: readonly string[];
} {
  try {
    const option = { type: 'string' } as const;
    const { values } = parseArgs({
      args: [...words],
      options: { last: option, type: option, instance: option, from: option },
    });
    const { from: _, ...filters } = values;
    return { values, filters: Object.entries(filters).flatMap(([name, value]) => [`--${name}`, value]) };
  } catch {
    throw new Refusal(
      'bad-option',
      say`I can't read that. The options are --last 30d, --type purchase and --instance web-1, as in billing transactions --last 7d.`,
    );
  }
}

function placeOf(from: string | undefined): Place {
  const [, page = '1', index = '0'] = /^(\d{1,7})\.(\d{1,3})$/.exec(from ?? '') ?? [];
  return { page: Math.max(1, Number(page)), index: Number(index) };
}

function sinceMs(last: string): number {
  const [, count = '', unit = ''] = /^(\d{1,4})([hdw])$/.exec(last) ?? [];
  const unitMs = UNITS_MS[unit];
  if (unitMs === undefined)
    throw new Refusal('bad-last', say`I can't read "${last}". Say --last 30d, 12h or 4w.`);
  return Number(count) * unitMs;
}
