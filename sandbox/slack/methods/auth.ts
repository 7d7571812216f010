import { BOT, ORGANIZATION, TEAM } from '../../people.ts';
import type { Methods } from '../api/method.ts';

/** Who the token is. */
export const auth: Methods = {
  'auth.test': {
    run: ({ world: { settings, installs }, caller }) => {
      const isOrgWide = settings.isOrgWide || caller.teamId === ORGANIZATION.id;
      const team = installs.team(caller.teamId) ?? TEAM;
      return {
        url: `https://${team.domain}.slack.com/`,
        team: isOrgWide ? ORGANIZATION.name : team.name,
        user: BOT.handle,
        team_id: isOrgWide ? ORGANIZATION.id : team.id,
        user_id: installs.botUserIn(team.id),
        bot_id: installs.botIn(team.id),
        app_id: BOT.appId,
        ...(settings.inOrganization ? { enterprise_id: ORGANIZATION.id } : {}),
        is_enterprise_install: isOrgWide,
      };
    },
  },
  'auth.revoke': {
    run: ({ world, token }) => {
      world.tokens.revoke(token);
      return { revoked: true };
    },
  },
};
