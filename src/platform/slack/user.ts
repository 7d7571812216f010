import { z } from 'zod';

/**
 * What is read of a person as `users.info` and `users.list` tell of them: https://docs.slack.dev/reference/objects/user-object
 * What rights hang on is read strictly; what can't be read of the rest is taken as not there, which gives nobody more.
 */
export const userSchema = z.object({
  id: z.string(),
  team_id: z.string().optional(),
  deleted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  is_stranger: z.boolean().optional(),
  tz: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  profile: z
    .object({
      email: z.string().optional().catch(undefined),
      display_name: z.string().optional().catch(undefined),
      real_name: z.string().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  enterprise_user: z
    .object({ enterprise_id: z.string().optional(), teams: z.array(z.string()).optional() })
    .optional()
    .catch(undefined),
});
export type User = z.infer<typeof userSchema>;
