import { readStored, toStored } from '../../platform/redis/stored.ts';
import { z } from 'zod';
import { newId } from '../../platform/id.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { key } from '../../platform/redis/key.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { type Commit, commit, together, field, keep, push, use, type Write } from '../records/commit.ts';
import { type Condition, unused } from '../records/conditions.ts';
import { actorSchema, placeSchema } from '../../platform/slack/ids.ts';
import { argsSchema } from '../ask/ask.ts';

/** A kind of what people can press, pick or confirm. */
export interface OfferKind<T> {
  /** A part of the key: the id of one kind stands for nothing where another is looked for. */
  readonly name: string;
  readonly schema: z.ZodType<T>;
}

/** What an id stands for. */
export interface Offer<T> {
  /** Undefined where it never was, or was long ago. */
  readonly what?: T;
  /** What was begun by it. */
  readonly usedBy?: string;
}

/**
 * Records behind buttons, pickers and modals, which carry nothing but an id. What is begun by an offer uses it up in the same
 * commit, see `usingUp`.
 */
export interface Offers {
  /** Gives the id: 128 random bits. */
  make<T extends object>(kind: OfferKind<T>, what: T): Promise<string>;
  /** Keeps one under an id that says whose it is, in place of what was kept under it. */
  put<T extends object>(kind: OfferKind<T>, id: string, what: T): Promise<void>;
  find<T>(kind: OfferKind<T>, id: string): Promise<Offer<T>>;
  /** Uses up one, or several as one, by which nothing is begun. Gives what has used it: `by`, or something before. */
  use(kind: Pick<OfferKind<unknown>, 'name'>, ids: string | readonly string[], by: string): Promise<string>;
  /**
   * Uses up one in one commit with what is begun by it, which is asked for again where something was moved meanwhile. Gives what has used
   * it: `by`, or something before.
   */
  useWith(
    kind: Pick<OfferKind<unknown>, 'name'>,
    id: string,
    by: string,
    beside: () => Promise<Commit<'moved'>>,
  ): Promise<string>;
  /** Writes several as one: what `offering` and `listing` give. */
  write(writes: readonly Write[]): Promise<void>;
  /** What is in a list, the last first, at most `most`. */
  list<T>(kind: OfferKind<T>, id: string, most: number): Promise<readonly T[]>;
}

/** How long an offer is kept: longer than it counts, so that a late press is answered with why it no longer does. */
export const OFFER_KEPT_MS = DAY_MS;

/** The key of an offer. An id that is not random stands for what can be begun once from the record of that id. */
export function offerKey({ name }: Pick<OfferKind<unknown>, 'name'>, id: string): string {
  return key('offer', name, id);
}

/** The part of a commit that uses offers up for what it begins: `used` where one has been. `keptMs`: how long that is known. */
export function usingUp(
  keys: readonly string[],
  by: string,
  keptMs = OFFER_KEPT_MS,
): { readonly if: readonly Condition<'used'>[]; readonly write: readonly Write[] } {
  return { if: keys.map((one) => unused(one, 'used')), write: keys.map((one) => use(one, by, keptMs)) };
}

/** The part of a commit that makes an offer; once more under the same id, it is kept for longer. */
export function offering<T extends object>(kind: OfferKind<T>, id: string, what: T): readonly Write[] {
  const at = offerKey(kind, id);
  return [field(at, 'what', toStored(what)), keep(at, OFFER_KEPT_MS)];
}

/** The part of a commit that puts something first in a list, which keeps `most` or a few more. */
export function listing<T extends object>(kind: OfferKind<T>, id: string, what: T, most: number): Write {
  return push(offerKey(kind, id), toStored(what), most, OFFER_KEPT_MS);
}

export function createOffers(redis: RedisConnection): Offers {
  return {
    make: async (kind, what) => {
      const id = newId();
      await commit(redis, { write: offering(kind, id, what) });
      return id;
    },
    put: async (kind, id, what) => {
      await commit(redis, { write: offering(kind, id, what) });
    },
    find: async (kind, id) => {
      const [what, usedBy] = await redis.hmget(offerKey(kind, id), 'what', 'usedBy');
      return {
        what: typeof what === 'string' ? readStored(kind.schema, what) : undefined,
        usedBy: usedBy ?? undefined,
      };
    },
    use: async (kind, ids, by) => {
      const keys = [ids].flat().map((id) => offerKey(kind, id));
      const used = await commit<'used'>(redis, usingUp(keys, by));
      return used.result === 'written' ? by : used.found;
    },
    useWith: async (kind, id, by, beside) => {
      for (;;) {
        const both = together<'used' | 'moved'>(usingUp([offerKey(kind, id)], by), await beside());
        const used = await commit(redis, both);
        if (used.result === 'written') return by;
        if (used.result === 'used') return used.found;
      }
    },
    write: async (write) => {
      await commit(redis, { write });
    },
    list: async (kind, id, most) => {
      const texts = await redis.lrange(offerKey(kind, id), 0, most - 1);
      return texts.map((text) => readStored(kind.schema, text));
    },
  };
}

/** The same, but nothing new is kept: for what is shown where nobody can press it. */
export function unkept(offers: Offers): Offers {
  return {
    ...offers,
    make: async () => newId(),
    put: async () => undefined,
    write: async () => undefined,
  };
}

const buttonTokenSchema = z.object({
  instanceId: z.string(),
  name: z.string(),
  createdAt: z.string().optional(),
  /** What is asked for besides the instance. */
  args: argsSchema.optional(),
  /** Why it stands there, where a press on it is only a pick that is asked about first. */
  pickedTo: z.literal('save-credits').optional(),
  /** The only person that it asks. */
  onlyFor: actorSchema.shape.userId.optional(),
  /** The request that it repeats, where the button stands elsewhere: where that was, and why it was asked. */
  repeats: z
    .object({
      place: placeSchema,
      because: z.string().optional(),
      /** Ids of freezes that stood in its way: somebody is asked for an exception. */
      exceptFrom: z.array(z.string()).optional(),
    })
    .optional(),
});
/** What a button stands for, for everybody with the right to press it, or for one of them alone: one instance as it was when the button was shown. */
export type ButtonToken = z.infer<typeof buttonTokenSchema>;

/** The id of an operation stands for the button on its card. */
export const BUTTON_TOKENS: OfferKind<ButtonToken> = { name: 'button', schema: buttonTokenSchema };
