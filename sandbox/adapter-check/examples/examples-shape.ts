import { z } from 'zod';
import type { Example, Examples } from '../../../src/platform/hosting/examples.ts';

/** Of each thing, the schema for each of its fields: one that is missing here doesn't compile. */
type Fields<Thing> = Record<keyof Thing, z.ZodType>;

const answer = {
  status: z.int().min(200).max(599).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.json().optional(),
};
const exampleOf = (means: z.ZodType): z.ZodType =>
  z.strictObject({ ...answer, means } satisfies Fields<Example<unknown>>);
const anything = exampleOf(z.looseObject({}));
const instance = z.looseObject({ id: z.string(), name: z.string(), status: z.string() });
const pagesOf = (record: z.ZodType): z.ZodType => z.array(exampleOf(z.array(record))).min(1);
const each = (verbs: readonly string[]): z.ZodType =>
  z.union([anything, z.strictObject(Object.fromEntries(verbs.map((verb) => [verb, anything.optional()])))]);

const examples: Fields<Examples> = {
  key: z.string().min(1).optional(),
  session: anything.optional(),
  list: pagesOf(instance),
  otherLists: z.array(pagesOf(instance)).optional(),
  one: exampleOf(instance),
  power: each(['start', 'stop', 'restart']),
  force: each(['stop', 'restart']).optional(),
  remove: anything.optional(),
  action: z
    .strictObject({
      id: z.string(),
      running: z.strictObject(answer),
      done: z.strictObject(answer),
      failed: z.strictObject({ ...answer, says: z.string().optional() }).optional(),
    })
    .optional(),
  actions: exampleOf(z.array(z.looseObject({ id: z.string() }))).optional(),
  begun: z
    .strictObject({ ...answer, means: z.array(z.looseObject({})), hasMore: z.boolean().optional() })
    .optional(),
  balance: anything.optional(),
  usage: anything.optional(),
  transactions: pagesOf(z.looseObject({})).optional(),
  spending: anything.optional(),
  charges: pagesOf(z.looseObject({})).optional(),
  bills: pagesOf(z.looseObject({})).optional(),
  addons: z
    .strictObject({
      list: pagesOf(z.looseObject({ id: z.string(), type: z.string() })),
      add: z
        .strictObject({
          ...answer,
          means: z.looseObject({}),
          type: z.string(),
          tier: z.string().optional(),
        })
        .optional(),
      remove: anything.optional(),
    } satisfies Fields<NonNullable<Examples['addons']>>)
    .optional(),
  refusals: z.array(
    z.strictObject({ means: z.string(), answer: z.strictObject(answer), says: z.string().optional() }),
  ),
};
const moduleShape = z.object({ examples: z.strictObject(examples).optional() });

/** The examples that a module exports beside its adapter, undefined where it has none; or what is wrong with them, each by its name. Pure. */
export function examplesIn(
  loaded: unknown,
): { readonly examples: Examples | undefined } | { readonly faults: readonly string[] } {
  const parsed = moduleShape.safeParse(loaded);
  // Their types are the compiler's, as those of the adapter are.
  if (parsed.success) return loaded as { readonly examples: Examples | undefined };
  return {
    faults: parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`),
  };
}
