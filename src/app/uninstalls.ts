import type { App } from '@slack/bolt';
import { z } from 'zod';
import type { Erased } from '../core/workspaces/uninstall.ts';

const eventSchema = z.object({
  team_id: z.string(),
  event_time: z.number(),
  event: z.object({ tokens: z.object({ bot: z.array(z.string()).optional() }).optional() }),
});

/** Erases what is kept of a workspace that removed the bot. */
export function hearOfUninstalls(app: App, erased: Erased, look: () => Promise<void>): void {
  const erase = async (
    body: unknown,
    isOfBot: (event: z.output<typeof eventSchema>) => boolean,
  ): Promise<void> => {
    const event = eventSchema.safeParse(body).data;
    if (!event || !isOfBot(event)) return;
    if (await erased(event.team_id, event.event_time * 1_000)) await look();
  };
  app.event('app_uninstalled', ({ body }) => erase(body, () => true));
  app.event('tokens_revoked', ({ body }) => erase(body, ({ event }) => (event.tokens?.bot ?? []).length > 0));
}
