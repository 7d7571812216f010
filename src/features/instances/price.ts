import { formatAmount, parseAmount } from '../../core/money/amount.ts';
import type { Ask } from '../../core/ask/ask.ts';
import type { Access } from '../../core/policy/access.ts';
import type { Instance, Price } from '../../platform/hosting/service.ts';

const PER: Readonly<Record<Price['per'], string>> = {
  hour: 'an hour',
  day: 'a day',
  month: 'a month',
  year: 'a year',
};

/** What one costs as its service says it: "12.50 EUR a month"; undefined where it doesn't. Pure. */
export function priceWords({ price }: Pick<Instance, 'price'>): string | undefined {
  const amount = parseAmount(price?.amount);
  return price && amount && `${formatAmount(amount)} ${price.currency} ${PER[price.per]}`;
}

/** An instance as somebody may know it: without its price, where what is spent isn't theirs to see. */
export async function withTheirPrice(
  access: Pick<Access, 'check'>,
  { actor, place: { channelId } }: Pick<Ask, 'actor' | 'place'>,
  instance: Instance,
): Promise<Instance> {
  const { price, ...rest } = instance;
  if (!price) return instance;
  const { allowed } = await access.check(actor, 'usage:read', instance, { channelId });
  return allowed ? instance : rest;
}
