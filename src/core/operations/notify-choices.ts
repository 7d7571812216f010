import { z } from 'zod';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { createOneRecord } from '../records/one-record.ts';
import { operationKeys } from './keys.ts';

export const NOTIFY_CHOICES = ['always', 'never', 'when-needed'] as const;
/** When somebody is mentioned at the end of what they asked for. */
export type NotifyChoice = (typeof NOTIFY_CHOICES)[number];

/** What each person has chosen; who has chosen nothing is mentioned when needed. */
export interface NotifyChoices {
  find(userId: string): Promise<NotifyChoice>;
  set(userId: string, choice: NotifyChoice): Promise<void>;
}

const recordSchema = z.object({
  /** By the id of the person. */
  choices: z.record(z.string(), z.enum(['always', 'never'])),
});
type ChoicesRecord = z.infer<typeof recordSchema>;

export function createNotifyChoices(redis: RedisConnection): NotifyChoices {
  const none: ChoicesRecord = { choices: {} };
  const store = createOneRecord<ChoicesRecord>(redis, {
    key: operationKeys.notifyChoices,
    schema: recordSchema,
    none,
  });
  return {
    find: async (userId) => (await store.get()).choices[userId] ?? 'when-needed',
    set: async (userId, choice) => {
      await store.change((record) => {
        const { [userId]: _, ...others } = record.choices;
        return { ...record, choices: choice === 'when-needed' ? others : { ...others, [userId]: choice } };
      });
    },
  };
}
