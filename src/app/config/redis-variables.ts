import { z } from 'zod';
import { REDIS_CLIENT_DECLARATIONS } from './client-certificate.ts';
import { faultOfRedisUrl } from './redis-url.ts';

/** The Redis that has everything that the bot keeps. */
export const REDIS_DECLARATIONS = {
  REDIS_URL: {
    about: 'Redis >= 6.2 or Valkey',
    default: 'redis://127.0.0.1:6379',
    secret: true,
    schema: z.string().superRefine((text, context) => {
      const message = faultOfRedisUrl(text);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    }),
  },
  REDIS_REPLICAS: {
    about: 'Replicas that must have what is written before anything is acknowledged, sent or posted: 0 to 5',
    default: '0',
    isGuard: true,
    schema: z
      .string()
      .regex(/^[0-5]$/, 'must be a number from 0 to 5')
      .transform(Number),
  },
  REDIS_DURABLE: {
    about:
      'What keeps the writes that Redis has answered: its append-only `file`, which is checked, or a managed `service` by itself, for which you vouch',
    default: 'file',
    schema: z.enum(['file', 'service']),
  },
  ...REDIS_CLIENT_DECLARATIONS,
  REDIS_PREFIX: {
    about: 'Put before every key in Redis, so that several deployments can share one: `staging`',
    isGuard: true,
    schema: z
      .string()
      .regex(/^(?!lamplighter$)[A-Za-z0-9_.-]{1,40}$/, 'must be one word like staging, and not lamplighter')
      .optional(),
  },
} as const;
