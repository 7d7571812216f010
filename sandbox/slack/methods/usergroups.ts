import { textArg } from '../api/args.ts';
import type { Methods } from '../api/method.ts';
import { SlackNo } from '../api/refusal.ts';

/** Groups of people. */
export const usergroups: Methods = {
  'usergroups.users.list': {
    scopes: ['usergroups:read'],
    run({ args, world }) {
      const group = world.workspace.usergroups.find(({ id }) => id === textArg(args, 'usergroup'));
      if (!group) throw new SlackNo('no_such_subteam');
      return { users: [...group.members].map((who) => world.workspace.getPerson(who).id) };
    },
  },
};
