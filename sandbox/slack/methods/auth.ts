import { BOT, ORGANIZATION, TEAM } from '../../people.ts';
import type { Methods } from '../api/method.ts';
import { page } from '../api/paging.ts';

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
        user_id: installs.botUserIn(isOrgWide ? ORGANIZATION.id : team.id),
        bot_id: installs.botIn(isOrgWide ? ORGANIZATION.id : team.id),
        app_id: BOT.appId,
        ...(settings.inOrganization || isOrgWide ? { enterprise_id: ORGANIZATION.id } : {}),
        is_enterprise_install: isOrgWide,
      };
    },
  },
  'auth.teams.list': {
    run({ world: { installs, settings }, caller, args }) {
      const isOrgWide = settings.isOrgWide || caller.teamId === ORGANIZATION.id;
      const ids = isOrgWide ? [...installs.granted] : [caller.teamId];
      const { items, nextCursor } = page(ids, args, { standard: 100 });
      return {
        teams: items.map((id) => ({ id, name: installs.team(id)?.name ?? id })),
        response_metadata: { next_cursor: nextCursor },
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
