import { type Amount, compare, formatAmount, sum, ZERO } from '../../../core/money/amount.ts';

/** More overlap into mush where a phone shows them. */
const MAX_BARS = 8;

/** The most expensive as bars, in the order they come, the rest as one; only a picture, so here a float will do. */
export function barsOf(
  lines: readonly { readonly name: string; readonly amount: Amount | undefined }[],
): { label: string; value: number }[] {
  const costly = lines.flatMap(({ name, amount }) =>
    amount && compare(amount, ZERO) > 0 ? [{ name, amount }] : [],
  );
  const value = (amount: Amount): number => Number(formatAmount(amount).replaceAll(',', ''));
  // One that is left over has a bar of its own.
  const most = costly.length > MAX_BARS ? MAX_BARS - 1 : MAX_BARS;
  const [shown, rest] = [costly.slice(0, most), costly.slice(most)];
  return [
    ...shown.map(({ name, amount }) => ({ label: name, value: value(amount) })),
    ...(rest.length === 0
      ? []
      : [{ label: `${rest.length} others`, value: value(sum(rest.map(({ amount }) => amount))) }]),
  ];
}
