import type { Adapter, ListRead } from './adapter.ts';
import type { Bill, Spending } from './month.ts';
import { decimalOf, roundedOf } from './table/decimal.ts';
import { Unreadable } from './unreadable.ts';
import { exactly } from './readers.ts';

type Postpaid = Extract<NonNullable<Adapter['billing']>, { readonly kind: 'postpaid' }>;

/**
 * How what is paid afterwards is read of an account that is billed in `currency`: an amount that the service says is in another is not
 * read as one of it. A month in another can't be read; of charges and bills, those in another are left out.
 */
export function inOneCurrency(billing: Postpaid): Postpaid {
  const { currency, spending, charges, bills } = billing;
  const only = <T extends { readonly currency?: string | undefined }>(given: T): T => {
    if (given.currency !== undefined && given.currency.toUpperCase() !== currency)
      throw new Unreadable(
        `an amount in another currency than ${currency}: BILLING_CURRENCY says which it is`,
      );
    return given;
  };
  const onlyOf = <T extends { readonly currency?: string | undefined }>(
    list: ListRead<T>,
    asMoney: (given: T) => T,
  ): ListRead<T> => ({
    ...list,
    item: (record, leaveOut) => asMoney(only(list.item(record, leaveOut))),
  });
  return {
    ...billing,
    spending: {
      ...spending,
      decode: (answer, leaveOut) => spendingOf(only(spending.decode(answer, leaveOut))),
    },
    ...(charges ? { charges: onlyOf(charges, (one) => ({ ...one, amount: exactly(one.amount) })) } : {}),
    ...(bills ? { bills: onlyOf(bills, billOf) } : {}),
  };
}

/** An amount that is in no sum, without what a float has left in it; what is no amount is shown as it came. */
function shown(amount: string): string {
  return decimalOf(amount) ?? roundedOf(amount, 2) ?? amount;
}

function spendingOf({ monthSoFar, owedBefore, ...rest }: Spending): Spending {
  return {
    ...rest,
    monthSoFar: exactly(monthSoFar),
    ...(owedBefore === undefined ? {} : { owedBefore: shown(owedBefore) }),
  };
}

function billOf({ amount, size, owedAfter, ...rest }: Bill): Bill {
  return {
    ...rest,
    ...(amount === undefined ? {} : { amount: shown(amount) }),
    ...(size === undefined ? {} : { size: shown(size) }),
    ...(owedAfter === undefined ? {} : { owedAfter: shown(owedAfter) }),
  };
}

/** An adapter for an account that is billed in `currency`; undefined for what the adapter says. Pure. */
export function billedIn(adapter: Adapter, currency: string | undefined): Adapter {
  const { billing } = adapter;
  return currency === undefined || billing?.kind !== 'postpaid'
    ? adapter
    : { ...adapter, billing: { ...billing, currency } };
}
