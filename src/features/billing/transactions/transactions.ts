import { parsePeriod } from '../../../core/ask/period.ts';
import { lengthWords } from '../../../platform/time/duration.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Ask, Reply } from '../../../core/ask/ask.ts';
import type { Route } from '../../../core/intake/route.ts';
import type { HostingService, Transaction } from '../../../platform/hosting/service.ts';
import { typedButton } from '../../../core/intake/typed-button.ts';
import { askedPage, keepList } from '../../../core/lists/asked-page.ts';
import { pageButton } from '../../../core/lists/list.ts';
import type { Button } from '../../../platform/slack/message.ts';
import { say } from '../../../platform/slack/phrase.ts';
import { createExport } from './export.ts';
import { keyOf, NOT_BEGUN, type Taken, walkTransactions } from './walk.ts';
import { passes, tallyOf, type StatementFilter } from './statement.ts';
import { type Filters, filtersOf } from './filters.ts';
import { type Screen, transactionsMessage } from './messages.ts';
import {
  filterWords,
  type Options,
  parseOptions,
  type StatementPosition,
  statementWords,
} from './options.ts';
import type { Bot } from '../../../core/bot/bot.ts';

export const TRANSACTIONS_ROUTE = 'billing.transactions';
const SHOWN = 20;
/** How much of the service's list one answer reads through. */
const MAX_PAGES = 20;

/** `/billing transactions [--last 30d] [--in 2026-10] [--type …] [--instance …] [--csv]`: page by page, or all in a file. */
export function transactionsRoute(deps: Bot): Route {
  const exportTo = createExport(deps);
  return {
    id: TRANSACTIONS_ROUTE,
    verb: 'transactions',
    spoken: {
      asks: [
        ['(booked|charged|billed|deducted)', '[{time}]'],
        ['(refund|refunds)', '[{time}]'],
        ['(csv|export) * (charges|transactions)', '[{time}] [--instance {x}] --csv'],
        ['(purchases|topups|top-ups|top ups|payments)', '[{time}] --type purchase'],
        ['(transactions|charges) * csv', '[{time}] --csv'],
        ['(when|did) * (top up|topped up|topup|top-up|pay|paid)', '--type purchase'],
        ['(daily charges|charges) * <span>', '{time} --type "daily charge"'],
        ['daily charges', '--type "daily charge"'],
        ['(what|how much) * <x> cost', '[{time}] --instance {x}'],
        ['(what|how much) * (spend|spent|pay|paid) * <span>', '{time}'],
        ['(what|how much) * (spend|spent)', '[{time}]'],
        ['(spend|spent|paid|charged) <span>', '{time}'],
        ['who * (top up|topped up|topup|top-up|pay|paid)', '--type purchase'],
        ['(usage|cost|costs|costing|spend|spending|burn|bill) * <span>', '{time}'],
        ['(transactions|payments) (of|for|from|on|in)? <span>', '{time}'],
        ['<span> * (usage|cost|costs|spend|spending|bill)', '{time}'],
        [
          '(send|export|give|get|download) * (bill|invoice|invoices|statement|receipts)',
          '[{time}] [--instance {x}] --csv',
        ],
        ['download * (transactions|charges)', '[{time}] [--instance {x}] --csv'],
        ['(csv|spreadsheet|excel)', '[{time}] [--instance {x}] --csv'],
        ['(bill|invoice|invoices|statement|receipts|transactions|charges)', '[{time}]'],
      ],
    },
    permission: 'billing:read',
    writes: false,
    isWrittenDown: (words) => words.includes('--csv'),
    label: (words, named) => (words.includes('--csv') ? exportLabel(parseOptions(words), named) : undefined),
    usage: '[--last 30d] [--in 2026-10] [--type …] [--instance …] [--csv]',
    summary: 'what was bought and spent',
    handle: async (ask) => {
      const options = parseOptions((await askedPage(deps, ask, '/billing transactions')).words);
      const filters = await filtersOf(deps.hosting, options, deps.clock.now);
      return options.csv ? exportTo(ask, filters) : answer(deps, ask, options, filters);
    },
  };
}

/** What a button that sends a file says: "Send October 2026 as CSV". Throws a Refusal for days that are none. */
function exportLabel({ last, in: days, type, instance }: Options, named: (word: string) => string): string {
  const time = days === undefined ? last && `the last ${lengthWords(last)}` : parsePeriod(days).name;
  const what = [time ?? 'all transactions', ...(type === undefined ? [] : [`of type "${type}"`])].join(' ');
  return `Send ${what}${instance === undefined ? '' : ` of ${named(instance)}`} as CSV`;
}

async function answer(deps: Bot, ask: Ask, options: Options, filters: Filters): Promise<Reply> {
  const { from, trail } = options;
  const { wanted, days } = filters;
  // Of a list that was limited by what was asked, the sums are of all of it.
  const isLimited = [wanted.type, wanted.instanceId, wanted.since].some((limit) => limit !== undefined);
  const { next, ...screen } = await read(deps.hosting, wanted, from, trail.length === 0 && isLimited);
  const buttonOf = async (
    label: string,
    place: StatementPosition,
    before: readonly StatementPosition[],
  ): Promise<Button[]> => {
    const listId = await keepList(deps, ask, statementWords(options, place, before));
    return listId === undefined ? [] : [pageButton(label, TRANSACTIONS_ROUTE, { listId, from: 0 })];
  };
  const asFile = days === undefined ? undefined : await fileButton(deps, options);
  const back = trail.at(-1);
  return transactionsMessage(screen, filters, {
    unit: deps.unit,
    isPart: next !== undefined || trail.length > 0,
    asOf: deps.clock.now(),
    buttons: [
      ...(asFile ? [asFile] : []),
      ...(back ? await buttonOf(screen.isInOrder ? 'Newer' : 'Back', back, trail.slice(0, -1)) : []),
      ...(next ? await buttonOf(screen.isInOrder ? 'Older' : 'More', next, [...trail, from]) : []),
    ],
  });
}

/** The same as a file. */
function fileButton({ offers }: Bot, options: Options): Promise<Button | undefined> {
  const words = [...filterWords(options), '--csv'];
  return typedButton(
    offers,
    exportLabel(options, (word) => word),
    { route: TRANSACTIONS_ROUTE, words },
  );
}

/** One screen of what passes, from `from` on. Throws a Refusal where what was read last isn't there any more. */
async function read(
  hosting: HostingService,
  wanted: StatementFilter,
  from: StatementPosition,
  isCounted: boolean,
): Promise<Screen & { readonly next: StatementPosition | undefined }> {
  const limits = { since: wanted.since, maxPages: from.page - 1 + MAX_PAGES, maxStale: 1 };
  const passed: Transaction[] = [];
  let [last, isBehind, isInOrder] = [from, from.after === undefined, true];
  /** Where the next screen begins. */
  let next: StatementPosition | undefined;
  let end: Taken['end'];
  let total: number | undefined;
  for await (const taken of walkTransactions(hosting, limits, { from: { ...NOT_BEGUN, page: from.page } })) {
    isInOrder &&= !taken.isRising;
    ({ end } = taken);
    ({ total } = taken.walk);
    for (const one of taken.fresh) {
      const after = keyOf(one);
      if (isBehind && passes(one, wanted)) {
        if (passed.length === SHOWN) next ??= last;
        passed.push(one);
      }
      isBehind ||= after === from.after;
      if (isBehind) last = { page: taken.walk.page - 1, after };
    }
    if (next && !isCounted) break;
  }
  if (!isBehind) throw listChanged();
  const shown = passed.slice(0, SHOWN);
  const isCut = next === undefined && end === 'most pages';
  // How many there are tells something only where all were read.
  const isShort = end === 'some missing' && from.page === 1;
  const isMissing = next === undefined && (isShort || end === 'same page again');
  const all = { count: passed.length, tally: tallyOf(passed), isWhole: end === 'all' };
  return {
    shown,
    next: isCut ? last : next,
    isCut,
    isInOrder,
    ...(isMissing ? { missing: { total } } : {}),
    ...(next && isCounted ? { all } : {}),
  };
}

/** To go on anywhere else would show something twice or leave something out. */
function listChanged(): Refusal {
  return new Refusal(
    'list-changed',
    say`The list has changed so much that I can't go on from where you were. Ask again with /billing transactions.`,
  );
}
