import { TEAM } from '../../people.ts';
import { textArg } from '../api/args.ts';
import type { Methods } from '../api/method.ts';
import { SlackNo } from '../api/refusal.ts';

const scopes = ['usergroups:read'];

/** Groups of people. */
export const usergroups: Methods = {
  'usergroups.list': {
    scopes,
    run: ({ world }) => ({
      usergroups: world.workspace.usergroups.map(({ id, handle, name, members }) => ({
        id,
        team_id: TEAM.id,
        is_usergroup: true,
        handle,
        name,
        date_delete: 0,
        user_count: members.length,
      })),
    }),
  },
  'usergroups.users.list': {
    scopes,
    run({ args, world }) {
      const group = world.workspace.usergroups.find(({ id }) => id === textArg(args, 'usergroup'));
      if (!group) throw new SlackNo('no_such_subteam');
      return { users: group.members.map((who) => world.workspace.getPerson(who).id) };
    },
  },
};
