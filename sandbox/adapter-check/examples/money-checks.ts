import { attempt, fault, type Finding, notTried, unshown, wordsOf } from '../finding.ts';
import type { Transaction } from '../../../src/platform/hosting/service.ts';
import { differences, differencesOfAll } from './meant.ts';
import { type Played, same } from './played.ts';
import { PER_PAGE } from './routes.ts';

/** Amounts as they are meant, to the last digit and with their sign. */
export async function moneyAsMeant(played: Played): Promise<readonly Finding[]> {
  const { hosting, examples } = played;
  const { billing } = played.adapter;
  if (!billing) return [notTried('money', 'the adapter reads none')];
  const { balance, usage, spending, transactions, charges, bills } = examples;
  if (billing.kind === 'prepaid')
    return [
      ...(billing.balance ? [await one('balance', balance?.means, () => hosting.getBalance())] : []),
      ...(billing.usage ? [await one('usage', usage?.means, () => hosting.getUsage())] : []),
      ...(billing.transactions
        ? [await several('transactions', transactions, () => allTransactions(played))]
        : []),
    ];
  return [
    await one('this month', spending?.means, () => hosting.getSpending()),
    ...(billing.charges
      ? [await several('charges', charges, async () => (await hosting.listCharges()).charges)]
      : []),
    ...(billing.bills ? [await several('bills', bills, async () => (await hosting.listBills()).bills)] : []),
  ];
}

/** The add-ons of all instances as they are meant. */
export async function addonsAsMeant({ adapter, hosting, examples }: Played): Promise<Finding> {
  if (!adapter.addons) return notTried('add-ons', 'the adapter offers none');
  return several('add-ons', examples.addons?.list, async () => {
    const { addons = [], incomplete } = (await hosting.listAddons()) ?? {};
    return incomplete ? [...addons, { incomplete }] : addons;
  });
}

async function one(
  check: string,
  means: object | undefined,
  read: () => Promise<object | undefined>,
): Promise<Finding> {
  if (!means) return unshown(check);
  const got = await attempt(read);
  return 'fault' in got
    ? fault(check, wordsOf(got.fault))
    : same(check, differences(means, got.value), JSON.stringify(means));
}

async function several(
  check: string,
  pages: readonly { readonly means: readonly object[] }[] | undefined,
  read: () => Promise<readonly object[]>,
): Promise<Finding> {
  if (!pages) return unshown(check);
  const got = await attempt(read);
  const means = pages.flatMap((page) => page.means);
  return 'fault' in got
    ? fault(check, wordsOf(got.fault))
    : same(check, differencesOfAll(means, got.value), `${means.length} as meant`);
}

/** Each page where the one before says that it goes on, as far as the examples have pages. */
async function allTransactions({ hosting, examples }: Played): Promise<readonly Transaction[]> {
  const all: Transaction[] = [];
  let at: Parameters<typeof hosting.listTransactions>[2] = {};
  for (const nth of (examples.transactions ?? []).keys()) {
    const { transactions, next } = await hosting.listTransactions(nth + 1, PER_PAGE, at);
    all.push(...transactions);
    at = { at: next };
  }
  return all;
}
