import { BOT, ORGANISATION, TEAM } from '../../people.ts';
import type { Methods } from '../api/method.ts';

/** Who the token is. */
export const auth: Methods = {
  'auth.test': {
    run: ({ world: { settings } }) => ({
      url: `https://${TEAM.domain}.slack.com/`,
      team: settings.isOrgWide ? ORGANISATION.name : TEAM.name,
      user: BOT.handle,
      team_id: settings.isOrgWide ? ORGANISATION.id : TEAM.id,
      user_id: BOT.userId,
      bot_id: BOT.botId,
      app_id: BOT.appId,
      ...(settings.inOrganisation ? { enterprise_id: ORGANISATION.id } : {}),
      is_enterprise_install: settings.isOrgWide,
    }),
  },
};
