import { BOT, TEAM } from '../../people.ts';
import type { Methods } from '../api/method.ts';

/** Who the token is. */
export const auth: Methods = {
  'auth.test': {
    run: () => ({
      url: `https://${TEAM.domain}.slack.com/`,
      team: TEAM.name,
      user: BOT.handle,
      team_id: TEAM.id,
      user_id: BOT.userId,
      bot_id: BOT.botId,
      app_id: BOT.appId,
      is_enterprise_install: false,
    }),
  },
};
