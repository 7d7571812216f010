import { z } from 'zod';
import { idOf } from '../id.ts';
import type { Answer } from './answer.ts';
import type { WriteAnswer } from './service.ts';
import { decimalOf, roundedOf } from './table/decimal.ts';
import { type LeaveOut, readAs, readRecord, Unreadable } from './unreadable.ts';

/** What a word of a service stands for; undefined for one that is not in the table, like `constructor`, for which every object has a value. Pure. */
export function wordIn<Meaning>(known: Readonly<Record<string, Meaning>>, word: string): Meaning | undefined {
  return Object.hasOwn(known, word) ? known[word] : undefined;
}

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

/** With these a service says of a write that it took it and has nothing to show. */
const SILENT = [200, 202, 204];

/** The answer of a service that takes a write without a word. Throws Unreadable for any other. */
export function nothingSaid({ status, body }: Answer): WriteAnswer {
  if (body === undefined && SILENT.includes(status)) return {};
  throw new Unreadable('not the empty answer that this service gives');
}

/** Throws Unreadable where an answer names what it is about, and that is something else. `named`: its id, if it says one. */
export function mustBeAbout(id: string, named: unknown): void {
  if (named === undefined || named === null || named === id || named === Number(id)) return;
  throw new Unreadable('about something else than was asked');
}
