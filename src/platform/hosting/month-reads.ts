import type { ListRead } from './adapter.ts';
import type { Calls } from './calls.ts';
import { notOffered } from './offered.ts';
import { inOneCurrency } from './one-currency.ts';
import { readList } from './read-list.ts';
import type { Bill, Spending } from './month.ts';
import type { BillList, ChargeList, HostingReads, Incomplete, ReadOptions } from './service.ts';
import { createSharedRead, type ReadPriority } from './shared-read.ts';

/** What is read of a month that is paid afterwards. `freshness`: how old an answer may be, and who waits for it. */
export function createMonthReads(
  calls: Calls,
  freshness: (options?: ReadOptions) => [number, ReadPriority],
): {
  reads: Pick<HostingReads, 'getSpending' | 'listCharges' | 'listBills'>;
  forget: () => void;
} {
  const { billing } = calls.adapter;
  const postpaid = billing?.kind === 'postpaid' ? inOneCurrency(billing) : undefined;
  const listOffered = async <T extends { readonly id: string }>(
    doing: string,
    list: ListRead<T> | undefined,
    priority: ReadPriority,
  ): Promise<{ items: T[]; incomplete?: Incomplete }> => {
    if (!list) throw notOffered(doing);
    const { pages: _, ...rest } = await readList(calls, list, doing, priority);
    return rest;
  };
  const spending = createSharedRead(async (priority): Promise<Spending> => {
    const doing = 'reading this month';
    if (!postpaid) throw notOffered(doing);
    return calls.read(doing, postpaid.spending, priority);
  });
  const charges = createSharedRead(async (priority): Promise<ChargeList> => {
    const { items, ...rest } = await listOffered('reading charges', postpaid?.charges, priority);
    return { charges: items, ...rest };
  });
  const bills = createSharedRead(async (priority): Promise<BillList> => {
    const { items, ...rest } = await listOffered('reading bills', postpaid?.bills, priority);
    return { ...newestFirst(items, rest.incomplete !== undefined), ...rest };
  });
  return {
    reads: {
      getSpending: (options) => spending.get(...freshness(options)),
      listCharges: (options) => charges.get(...freshness(options)),
      listBills: (options) => bills.get(...freshness(options)),
    },
    forget: () => [spending, charges, bills].forEach((read) => read.forget()),
  };
}

/** Bills by their time: no service promises an order. A part of a list, or times that can't be read, stay as they came. Pure. */
function newestFirst(bills: readonly Bill[], isPart: boolean): Pick<BillList, 'bills' | 'isNewestFirst'> {
  const timeOf = ({ at }: Bill): number => Date.parse(at);
  if (isPart || bills.some((bill) => Number.isNaN(timeOf(bill)))) return { bills, isNewestFirst: false };
  return { bills: bills.toSorted((one, other) => timeOf(other) - timeOf(one)), isNewestFirst: true };
}
