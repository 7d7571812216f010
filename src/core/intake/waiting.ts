import { z } from 'zod';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { actorSchema } from '../../platform/slack/ids.ts';
import { phraseSchema } from '../../platform/slack/phrase.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import type { OfferKind } from '../offers/offers.ts';
import { createOneRecord, type OneRecord } from '../records/one-record.ts';
import { waitingKey } from './keys.ts';

/** What somebody asked for while the hosting service was down, as a button asks for it again. */
const askedSchema = z.object({
  actor: actorSchema,
  /** "Restart web-1". */
  what: phraseSchema,
  route: z.string(),
  /** What was typed, or the value of what was pressed. */
  words: z.array(z.string()).optional(),
  line: z.string().optional(),
  value: z.string().optional(),
});
export type Asked = z.infer<typeof askedSchema>;

/** What stands behind the button under an answer that the service was needed for. */
export const ASKED_WHILE_DOWN: OfferKind<Asked> = { name: 'while-down', schema: askedSchema };

/** Who is told once the service answers. Times are Redis' clock, Unix ms. */
const waitingSchema = z.object({
  /** The first who asked first. */
  those: z.array(askedSchema.extend({ id: z.string(), at: z.number() })),
  /** When the service was asked last whether it answers. */
  lookedAt: z.number(),
});
export type Waiting = z.infer<typeof waitingSchema>;
export type Waiter = Waiting['those'][number];

export type WaitingStore = OneRecord<Waiting>;

/** So long a service that is down is asked again and again. */
export const WAIT_FOR_MS = DAY_MS;
/** One person is told of so many, the newest; and so many are waited for at most. */
const MAX_EACH = 5;
const MAX_ALL = 500;

export function createWaitingStore(redis: RedisConnection): WaitingStore {
  const none: Waiting = { those: [], lookedAt: 0 };
  return createOneRecord<Waiting>(redis, { key: waitingKey, schema: waitingSchema, none });
}

/** With one more who waits; pressed again, the same one. Undefined where too many wait. Pure. */
export function joined(record: Waiting, waiter: Waiter): Waiting | undefined {
  const others = record.those.filter(({ id }) => id !== waiter.id);
  const [first, ...theirs] = others.filter(({ actor }) => actor.userId === waiter.actor.userId);
  const left = theirs.length + 1 >= MAX_EACH ? others.filter((one) => one !== first) : others;
  return left.length >= MAX_ALL ? undefined : { ...record, those: [...left, waiter] };
}

/** Without those of whom it holds; undefined where it holds of nobody. Pure. */
export function without(record: Waiting, isOver: (one: Waiter) => boolean): Waiting | undefined {
  const those = record.those.filter((one) => !isOver(one));
  return those.length === record.those.length ? undefined : { ...record, those };
}

/** When the service is to be asked next; infinity where nobody waits. Pure. */
export function lookAt({ those, lookedAt }: Waiting, everyMs: number): number {
  return those.length === 0 ? Number.POSITIVE_INFINITY : lookedAt + everyMs;
}
