import { textArg } from '../api/args.ts';
import type { Methods } from '../api/method.ts';
import { SlackNo } from '../api/refusal.ts';

/** Direct messages; what was said is in history.ts. */
export const conversations: Methods = {
  'conversations.open': {
    scopes: ['im:write'],
    run({ args, world }) {
      const [userId = '', ...others] = (textArg(args, 'users') ?? '').split(',');
      const person = others.length === 0 ? world.workspace.findPerson(userId) : undefined;
      if (!person) throw new SlackNo('user_not_found');
      if (person.isDeleted) throw new SlackNo('user_disabled');
      if (person.isBot) throw new SlackNo('cannot_dm_bot');
      return { channel: { id: world.workspace.openDm(person.id).id } };
    },
  },
};
