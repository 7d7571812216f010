import { z } from 'zod';
import type { Instance } from '../../platform/hosting/service.ts';

/** What makes an instance the same one: a re-created name has another id and another birthday. */
export interface Fingerprint {
  readonly id: string;
  readonly name: string;
  readonly createdAt?: string;
}

export const fingerprintSchema: z.ZodType<Fingerprint> = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string().optional(),
});

/** What is kept of an instance to know it again. */
export function fingerprintOf({
  id,
  name,
  createdAt,
}: Pick<Instance, 'id' | 'name' | 'createdAt'>): Fingerprint {
  return { id, name, createdAt };
}

/** Whether an instance is still the one that was shown. */
export function isSame(shown: Fingerprint, now: Pick<Instance, 'id' | 'name' | 'createdAt'>): boolean {
  return shown.id === now.id && shown.name === now.name && shown.createdAt === now.createdAt;
}
