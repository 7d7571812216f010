import { idOf } from '../id.ts';

/**
 * The records of one page that have no id of their own, each with one made of all that it says. Equal ones of a page are
 * counted, so that none is taken for another.
 */
export function identified(records: readonly unknown[]): readonly { id: string; record: unknown }[] {
  const counts = new Map<string, number>();
  return records.map((record) => {
    const id = idOf(JSON.stringify(record) ?? '');
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return { id: `${id}-${count}`, record };
  });
}

/** A JSON number of a currency as a decimal string, to the cent. */
export function cents(amount: number): string {
  return amount.toFixed(2);
}
