import { z } from 'zod';
import { idOf } from '../id.ts';
import { decimalOf, roundedOf } from './table/decimal.ts';
import { type LeaveOut, readAs, readRecord, Unreadable } from './unreadable.ts';

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

const identifiedWire = z.object({ id: z.string(), record: z.unknown() });

/** One of those as its schema reads the record itself, with its id. Throws Unreadable, as readRecord does. */
export function readIdentified<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  essential: readonly string[],
  leaveOut?: LeaveOut,
): { readonly id: string; readonly record: z.output<Schema> } {
  const { id, record } = readAs(identifiedWire, given);
  return { id, record: readRecord(schema, record, essential, leaveOut) };
}

/**
 * An amount of a currency that has cents, as a decimal string with two places at least. What a float has left behind is taken off; an
 * amount of too many digits is rounded to cents. Throws Unreadable where even those aren't certain.
 */
export function cents(amount: number | string): string {
  const exact = decimalOf(amount) ?? roundedOf(amount, 2);
  if (exact === undefined) throw new Unreadable('no exact amount');
  const [whole = '', fraction = ''] = exact.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}
