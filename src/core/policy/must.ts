import { z } from 'zod';

/** A sentence's end for what is there and can't be: the subject is put before it. */
export const must = (be: string): { readonly error: z.core.$ZodErrorMap } => ({
  error: (issue) => {
    if (issue.code === 'unrecognized_keys') return undefined;
    return issue.code === 'invalid_type' && issue.input === undefined ? 'is missing' : `must be ${be}`;
  },
});
export const listOf = <Item extends z.ZodType>(item: Item, be: string): z.ZodArray<Item> =>
  z.array(item, must(be));
export const atLeastOne = <Item extends z.ZodType>(item: Item, be: string): z.ZodArray<Item> =>
  listOf(item, be).min(1, `must have at least one; leave it out if it is to limit nothing`);
