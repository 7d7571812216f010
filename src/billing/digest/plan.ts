import { z } from 'zod';
import { deliverySchema, newDelivery } from '../../deliveries/delivery.ts';
import type { RedisConnection } from '../../redis/connection.ts';
import { keys } from '../../redis/keys.ts';
import { createRecordStore, type RecordStore } from '../../redis/record-store.ts';
import { type Message, messageSchema } from '../../slack/message.ts';
import { nextAt, type Schedule, scheduleSchema } from './schedule.ts';

/**
 * The digest as it is written down: when it comes next and where, and the one on its way. Times are Redis' clock, Unix ms.
 */
const kept: z.ZodType<Message> = messageSchema;

const planSchema = z.object({
  schema: z.literal(1),
  set: z
    .object({
      schedule: scheduleSchema,
      channelId: z.string(),
      by: z.string(),
      /** When the next one is due; what it tells of ends then. */
      dueAt: z.number(),
    })
    .optional(),
  /** Who was paused and who was idle at the last one. */
  before: z.object({ paused: z.array(z.string()), idle: z.array(z.string()) }).optional(),
  /** The one on its way: written down whole before it is posted. */
  pending: z
    .object({ message: kept, channelId: z.string(), at: z.number(), delivery: deliverySchema })
    .optional(),
});
export type Plan = z.infer<typeof planSchema>;

export type PlanStore = RecordStore<Plan>;

export function createPlanStore(redis: RedisConnection): PlanStore {
  return createRecordStore<Plan>(redis, keys.digest, planSchema, { schema: 1 });
}

/** The plan with a schedule of its own, from now on. */
export function scheduled(plan: Plan, schedule: Schedule, channelId: string, by: string, now: number): Plan {
  return { ...plan, set: { schedule, channelId, by, dueAt: nextAt(schedule, now) } };
}

/** The plan once the digest due at `dueAt` was made; `message` undefined where it has nothing to tell. */
export function made(
  plan: Plan,
  dueAt: number,
  message: Message | undefined,
  before: NonNullable<Plan['before']>,
  now: number,
): Plan | undefined {
  const { set } = plan;
  // Another made it, or it was set anew meanwhile.
  if (!set || set.dueAt !== dueAt) return undefined;
  const pending = message && {
    message,
    channelId: set.channelId,
    at: now,
    delivery: newDelivery(`digest-${dueAt}`, now),
  };
  return {
    ...plan,
    before,
    // A late one is not made up for by two at once.
    set: { ...set, dueAt: nextAt(set.schedule, now) },
    ...(pending ? { pending } : {}),
  };
}
