import { z } from 'zod';
import { idOf } from '../id.ts';
import { decimalOf } from './table/decimal.ts';
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
 * A JSON number of a currency as a decimal string with two places at least. Throws Unreadable where it isn't exact: a number of too many
 * digits has become another one on its way.
 */
export function cents(amount: number): string {
  const exact = decimalOf(amount);
  if (exact === undefined) throw new Unreadable('no exact amount');
  const [whole = '', fraction = ''] = exact.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}
