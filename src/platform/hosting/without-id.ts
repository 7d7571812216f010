import { z } from 'zod';
import { idOf } from '../id.ts';
import { type LeaveOut, readAs, readRecord } from './unreadable.ts';

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

/** A JSON number of a currency as a decimal string, to the cent. */
export function cents(amount: number): string {
  return amount.toFixed(2);
}
