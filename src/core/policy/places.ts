import type { Ask } from '../routing/route.ts';
import type { Access } from './access.ts';
import type { Permission } from './permissions.ts';

/** In which channels the bot may say something without being asked there: none, but for those that somebody chose. */
export interface Places {
  /** Throws a Refusal where it may not be said in the channel of `ask`, and its actor may not choose it. */
  allow(ask: Ask): Promise<void>;
  isAllowed(channelId: string): Promise<boolean>;
}

/**
 * `permission`: what it takes to choose a channel; `choose` writes down that it was chosen. `refuseOther` throws a
 * Refusal where nobody can choose another one in Slack.
 */
export function createPlaces({
  access,
  permission,
  isAllowed,
  choose,
  refuseOther = () => undefined,
}: {
  readonly access: Pick<Access, 'require' | 'use'>;
  readonly permission: Permission;
  readonly isAllowed: (channelId: string) => Promise<boolean>;
  readonly choose: (channelId: string) => Promise<unknown>;
  readonly refuseOther?: () => void;
}): Places {
  return {
    isAllowed,
    allow: async (ask) => {
      const { channelId } = ask.place;
      if (await isAllowed(channelId)) return;
      refuseOther();
      const rule = await access.require(ask.actor, permission, { route: ask.route, operationId: ask.id });
      await access.use(rule, ask.id);
      await choose(channelId);
    },
  };
}
