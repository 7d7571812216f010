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
 * An amount as a decimal string. What a float has left behind is taken off; one of too many digits is rounded to cents. Throws
 * Unreadable where even those aren't certain: what nobody knows is in no sum.
 */
export function exactly(amount: number | string): string {
  const exact = decimalOf(amount) ?? roundedOf(amount, 2);
  if (exact === undefined) throw new Unreadable('no exact amount');
  return exact;
}

/** The same with two places at least, of a currency that has cents. Throws Unreadable. */
export function cents(amount: number | string): string {
  const [whole = '', fraction = ''] = exactly(amount).split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}
