import { z } from 'zod';

/** What is read of a person as `users.info` and `users.list` tell of them: https://docs.slack.dev/reference/objects/user-object */
export const userSchema = z.object({
  id: z.string(),
  team_id: z.string().optional(),
  deleted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  is_stranger: z.boolean().optional(),
  tz: z.string().optional(),
  profile: z.object({ email: z.string().optional() }).optional(),
  enterprise_user: z
    .object({ enterprise_id: z.string().optional(), teams: z.array(z.string()).optional() })
    .optional(),
});
export type User = z.infer<typeof userSchema>;
