import { type Amount, compare, formatAmount } from './amount.ts';

const ONE: Amount = { units: 1n, scale: 0 };

/**
 * An amount with what it counts: "1,500 credits", "1 credit", "12.30 claws". Only of the default unit is the
 * singular known; the person who chose another word is quoted.
 */
export function counted(amount: Amount, unit: string): string {
  const isOne = unit === 'credits' && compare(amount, ONE) === 0;
  return `${formatAmount(amount)} ${isOne ? 'credit' : unit}`;
}
