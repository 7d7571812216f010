import { z } from 'zod';
import type { Answer } from './answer.ts';
import { HostingError } from './hosting-error.ts';
import { errorOfBody, errorOfSuccess } from './errors.ts';

/** An answer that can't be read as what was asked for. The message says why, and names fields, not what stands in them. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';

  /** Also one of another copy of this module: a loader may read again what an adapter outside of the bot imports. */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    return thrown instanceof Error && thrown.name === 'Unreadable';
  }
}

/**
 * What an adapter gave, which is asked for at once. Throws Unreadable for a promise: nobody would wait for it, and where it is
 * rejected that would end the process.
 */
export function atOnce<T>(given: T): T {
  if (!(given instanceof Promise)) return given;
  given.catch(() => undefined);
  throw new Unreadable('the adapter gave a promise, where it must answer at once');
}

/** Hears that a field of a record can't be read and was left out. */
export type LeaveOut = (field: string) => void;

const ignored = (): undefined => undefined;

/**
 * A record as its schema reads it, without the fields that can't be read: `leaveOut` hears of each. Throws Unreadable where one of
 * `essential` can't be read, which the record is nothing without.
 */
export function readRecord<Schema extends z.ZodType>(
  schema: Schema,
  record: unknown,
  essential: readonly string[],
  leaveOut: LeaveOut = ignored,
): z.output<Schema> {
  const parsed = schema.safeParse(record);
  if (parsed.success) return parsed.data;
  const odd = new Set(parsed.error.issues.map(({ path: [field = ''] }) => String(field)));
  // Below a field there may be names that a customer gave, as those of labels.
  if (typeof record !== 'object' || record === null || [...essential, ''].some((field) => odd.has(field)))
    throw notAsExpected([...odd]);
  const read = readAs(
    schema,
    Object.fromEntries(Object.entries(record).filter(([field]) => !odd.has(field))),
  );
  for (const field of odd) leaveOut(field);
  return read;
}

/** A value as its schema reads it. Throws Unreadable. */
export function readAs<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw notAsExpected(parsed.error.issues.map((issue) => issue.path.join('.')));
}

/** A list as it travels: many a service writes an empty one as null. One that isn't there at all is none. */
export function listWire<Schema extends z.ZodType>(schema: Schema): z.ZodType<z.output<Schema>[]> {
  return z.preprocess((list) => (list === null ? [] : list), z.array(schema));
}

/** The records of a list that stands in a field of a body, each to be read by itself. Throws Unreadable. */
export function recordsIn(body: unknown, field: string): readonly unknown[] {
  return readAs(z.object({ [field]: listWire(z.unknown()) }), body)[field] ?? [];
}

/** `fields`: which could not be read; an empty name stands for the whole record. */
function notAsExpected(fields: readonly string[]): Unreadable {
  const where = fields.slice(0, 5).map((field) => field || 'the record');
  return new Unreadable(`not as expected: ${where.join(', ')}`);
}

/**
 * What an adapter reads in an answer whose status is a success. Whatever it throws becomes a HostingError (unreadable), and so
 * does a body that says that it is none (unclear). `doing` is for the log.
 */
export function reading<T>(doing: string, answer: Answer, read: (answer: Answer) => T): T {
  const told = errorOfSuccess(doing, answer);
  if (told) throw told;
  try {
    return atOnce(read(answer));
  } catch (error) {
    const why = error instanceof Unreadable ? error.message : 'not as expected';
    throw errorOfBody(doing, why, error, answer.status);
  }
}

/**
 * What an adapter builds a call of. Whatever it throws becomes a HostingError (not built, not done): nothing has left. `doing` is for
 * the log.
 */
export function building<T>(doing: string, build: () => T): T {
  try {
    return atOnce(build());
  } catch (cause) {
    const said = cause instanceof Unreadable ? { said: cause.message } : {};
    const details = { fault: 'not-built', outcome: 'not-done', retryable: false, cause } as const;
    throw new HostingError(`${doing}: building the call`, { ...details, ...said });
  }
}
