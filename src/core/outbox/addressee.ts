import { z } from 'zod';

export const slackId = z.string().regex(/^[A-Z][A-Za-z0-9_]{1,63}$/);
/**
 * A channel or a thread in it, or a person whose direct messages are meant. `underPost`: in the thread of the message of that id,
 * once it stands, or where it never does, in the direct messages of `orUserId`; without that, nowhere.
 */
export const addresseeSchema = z.union([
  z.object({
    channelId: slackId,
    threadTs: z.string().optional(),
    underPost: z.string().optional(),
    orUserId: slackId.optional(),
  }),
  z.object({ userId: slackId }),
]);
export type Addressee = z.infer<typeof addresseeSchema>;

/** A place outside of Slack, which the configuration names. */
export const outsideSchema = z.object({ outside: z.enum(['webhook', 'mail']) });
export type Outside = z.infer<typeof outsideSchema>;
