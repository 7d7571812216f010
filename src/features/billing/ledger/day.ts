import { z } from 'zod';

/**
 * One UTC day of the ledger as it stands in Redis. Each part has one source and says when it was read; one that is missing was not
 * read. Amounts are exact decimals, times Unix ms.
 */

/** As parseAmount reads it. */
const DECIMAL = /^-?\d{1,40}(?:\.\d{1,20})?$/;
const decimal = z.string().regex(DECIMAL);
const readingSchema = z.object({ amount: decimal, at: z.number() });

/**
 * Rows, each checked by `fits`. A day has thousands, and a month is read while somebody waits: with a schema for each row that takes two and
 * a half times as long.
 */
function rowsOf<Row extends readonly [string, ...unknown[]]>(
  fits: (row: readonly unknown[]) => boolean,
): z.ZodType<Row[]> {
  return z.custom<Row[]>(
    (rows) => Array.isArray(rows) && rows.every((row: unknown) => Array.isArray(row) && fits(row)),
  );
}

const isSeen = ([id, name, hours]: readonly unknown[]): boolean =>
  typeof id === 'string' && typeof name === 'string' && Number.isInteger(hours);
const isSum = ([id, amount]: readonly unknown[]): boolean =>
  typeof id === 'string' && typeof amount === 'string' && DECIMAL.test(amount);

/** From our own looks at the list of instances. */
const seenSchema = z.object({
  /** The UTC hours in which the whole list was read, as bits. */
  hours: z.int(),
  /** Id, name and the UTC hours in which it was seen running, by tier; '' for one without. */
  instances: z.record(z.string(), rowsOf<[id: string, name: string, hours: number]>(isSeen)),
});
export type Seen = z.infer<typeof seenSchema>;

/** Amounts by type of transaction, then by instance id; '' belongs to no instance. Grouped: a day has thousands. */
const sumsSchema = z.record(z.string(), rowsOf<[id: string, amount: string]>(isSum));
export type Sums = z.infer<typeof sumsSchema>;

/** From the service's transactions. */
const bookedSchema = z.object({
  /** When they were read last. */
  asOf: z.number(),
  /** What was spent, and what was added: bought, refunded, put right. All are more than 0. */
  used: sumsSchema,
  added: sumsSchema,
  /** All that was spent, for who asks for no more. */
  total: decimal,
  /** How many transactions have no readable amount or time, and so are in no sum. */
  unreadable: z.int(),
  /** A short mark of each, by which one that comes later is known; undefined where there are too many. */
  marks: z.string().optional(),
  /** How many came when the day had been closed for days. They are in the sums. */
  late: z.int().optional(),
  /** Names of instances by id, as they were called then. */
  names: z.record(z.string(), z.string()),
  /** Which reading of the list wrote it. */
  run: z.string(),
});
export type Booked = z.infer<typeof bookedSchema>;

/** From what the service says a month has cost so far, where it is paid afterwards: the last reading of the day. */
const chargesSchema = z.object({
  /** When it was read. */
  asOf: z.number(),
  /** All of the month so far, as the service counts it. */
  total: decimal,
  /**
   * The same by product, then by the id of an instance, or by the name of what has none. '' is what the service counts and doesn't
   * list. They come to exactly the total, and may be less than 0.
   */
  used: sumsSchema,
  /** Names by those ids. */
  names: z.record(z.string(), z.string()),
  /** What was known of those instances then; undefined where their list couldn't be read. */
  instances: z
    .record(z.string(), z.object({ tier: z.string().optional(), labels: z.array(z.string()).optional() }))
    .optional(),
});
export type Charges = z.infer<typeof chargesSchema>;

/** That a day cost far more than its kind does, as it was told, and what somebody has answered. */
const spikeSchema = z.object({
  at: z.number(),
  /** What it came from, as far as that is known: instances, or types of what belongs to none. */
  from: z.array(z.union([z.object({ id: z.string(), name: z.string() }), z.object({ type: z.string() })])),
  /** Who has said that this is expected, which counts until the month of the day ends. */
  expected: z.object({ by: z.string(), at: z.number() }).optional(),
});
export type ToldSpike = z.infer<typeof spikeSchema>;

export const daySchema = z.object({
  seen: seenSchema.optional(),
  /** The first and the last balance of the day. */
  balance: z.object({ first: readingSchema, last: readingSchema }).optional(),
  /** The last reading of what the month had cost so far, where it is paid afterwards. */
  month: readingSchema.optional(),
  charges: chargesSchema.optional(),
  booked: bookedSchema.optional(),
  /** The same while it is being read: it counts once all of the day was. */
  draft: bookedSchema.optional(),
  spike: spikeSchema.optional(),
});
export type Day = z.infer<typeof daySchema>;

/** What of a day says what it has cost. */
export const costSchema = z.object({
  booked: z.object({ total: decimal }).optional(),
  month: readingSchema.optional(),
});
export type Cost = z.infer<typeof costSchema>;

/** A day with its name, as in "2026-10-03". */
export interface NamedDay {
  readonly day: string;
  readonly record: Day;
}

/** An instance as our looks of one day have seen it. `ran`: the UTC hours in which it ran, as bits. */
export interface SeenInstance {
  readonly id: string;
  readonly name: string;
  /** '' for none. */
  readonly tier: string;
  readonly ran: number;
}

/** All of them. Pure. */
export function seenIn(seen: Seen | undefined): readonly SeenInstance[] {
  return Object.entries(seen?.instances ?? {}).flatMap(([tier, rows]) =>
    rows.map(([id, name, ran]) => ({ id, name, tier, ran })),
  );
}

/** All hours of a day, as bits. */
export const ALL_HOURS = 0xffffff;

/** How many hours are in these bits. Pure. */
export function countHours(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** The UTC day of a moment, Unix ms. */
export function dayAt(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The first moment of a day, Unix ms. */
export function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
