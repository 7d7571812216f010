import { z } from 'zod';
import type { Addon } from '../../platform/hosting/service.ts';
import { type Phrase, say, strong } from '../../platform/slack/phrase.ts';
import { addonName } from '../../core/lookup/addon.ts';

/** An add-on as a person names it; by its id once it has one. */
export const addonArgs = z.object({
  id: z.string().optional(),
  type: z.string(),
  tier: z.string().optional(),
});
export type AddonRef = z.infer<typeof addonArgs>;

/** What is kept of an add-on. */
export function refOf({ id, type, tier }: Addon): AddonRef {
  return { id, type, tier };
}

/** Its name, as sentences say it. */
export function named(addon: AddonRef): Phrase {
  return say`${strong(addonName(addon))}`;
}
