import { z } from 'zod';

const slackUserId = z.string().regex(/^[UW][A-Za-z0-9_]{1,63}$/);
const slackChannelId = z.string().regex(/^[CDG][A-Za-z0-9_]{1,63}$/);
const slackTs = z.string().regex(/^\d{1,12}(\.\d{1,9})?$/);

/** The program through which somebody acts, and what that may at most. */
const throughSchema = z.object({
  agent: z.string(),
  roles: z.array(z.string()).readonly(),
  on: z.array(z.string()).readonly().optional(),
  /** Slack says with each request that the person is there; without it, a token outlives their account. */
  isThere: z.literal(true).optional(),
});

/** The person who acts, by ids; never by name. */
export const actorSchema = z.object({
  userId: slackUserId,
  teamId: z.string().max(64).optional(),
  through: throughSchema.optional(),
});
export type Actor = z.infer<typeof actorSchema>;

/** Whether something is somebody's own to see, whatever it is about: not through a program that is for some instances alone. */
export function isOwn({ userId, through }: Actor, ownerId: string): boolean {
  return userId === ownerId && through?.on === undefined;
}

/** Where something was asked, and where its card goes. */
export const placeSchema = z.object({ channelId: slackChannelId, threadTs: slackTs.optional() });
export type SlackPlace = z.infer<typeof placeSchema>;

/** Whether a channel is the direct messages of one person with the bot. */
export function isDirect(channelId: string): boolean {
  return channelId.startsWith('D');
}

export function placeOf(channelId: string, threadTs?: string): SlackPlace {
  return { channelId, ...(threadTs ? { threadTs } : {}) };
}

/** Whether an id is that of a user group, and not of a person. */
export function isGroupId(id: string): boolean {
  return id.startsWith('S');
}
