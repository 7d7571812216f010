import type { App } from '@slack/bolt';
import { z } from 'zod';
import type { Access } from '../core/workspaces/access.ts';
import type { Erased } from '../core/workspaces/install.ts';

/** An event about an installation. Without `team_id` it is about that of an organization. */
const eventSchema = z.object({
  team_id: z.string().optional(),
  enterprise_id: z.string().optional(),
  event_time: z.number(),
  event: z.object({
    tokens: z.object({ bot: z.array(z.string()).optional() }).optional(),
    team_ids: z.array(z.string()).max(10_000).optional(),
  }),
});
type Event = z.output<typeof eventSchema>;

/**
 * Erases what is kept of a workspace that removed the bot, or that an organization's admin took it away from, and begins to work in one
 * that it was given. What Slack lists then counts, so that an event that comes late undoes nothing; one whose list can't be had is sent again.
 * `look`: opens and closes what was installed and removed.
 */
export function hearOfInstalls(
  app: App,
  {
    erased,
    access,
    look,
  }: {
    readonly erased: Erased;
    readonly access: Pick<Access, 'askAll'>;
    readonly look: () => Promise<void>;
  },
): void {
  const erase = async (body: unknown, isOfBot: (event: Event) => boolean): Promise<void> => {
    const event = eventSchema.safeParse(body).data;
    const id = event?.team_id ?? event?.enterprise_id;
    if (!event || id === undefined || !isOfBot(event)) return;
    if (!(await erased(id, event.event_time * 1_000))) await access.askAll([id]);
    await look();
  };
  const ask = async (body: unknown, isRevoked: boolean): Promise<void> => {
    const event = eventSchema.safeParse(body).data;
    await access.askAll(isRevoked ? (event?.event.team_ids ?? []) : []);
    await look();
  };
  app.event('app_uninstalled', ({ body }) => erase(body, () => true));
  app.event('tokens_revoked', ({ body }) => erase(body, ({ event }) => (event.tokens?.bot ?? []).length > 0));
  app.event('team_access_granted', ({ body }) => ask(body, false));
  app.event('team_access_revoked', ({ body }) => ask(body, true));
}
