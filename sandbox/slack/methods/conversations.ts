import { BOT } from '../../people.ts';
import { textArg } from '../api/args.ts';
import type { Methods } from '../api/method.ts';
import { SlackNo } from '../api/refusal.ts';
import { missingScope } from '../api/tokens.ts';
import { visibleChannel } from './where.ts';

/** The direct message with somebody, and what a channel is. */
export const conversations: Methods = {
  'conversations.info': {
    scopes: ['channels:read', 'groups:read', 'im:read', 'mpim:read'],
    run(call) {
      const { id, name, kind, members, isArchived, isShared } = visibleChannel(call);
      const needed = { public: 'channels:read', private: 'groups:read', im: 'im:read' }[kind];
      if (!call.caller.scopes.has(needed)) throw missingScope([needed], call.caller);
      return {
        channel: {
          id,
          name,
          is_channel: kind === 'public',
          is_group: kind === 'private',
          is_im: kind === 'im',
          is_private: kind !== 'public',
          is_member: members.has(BOT.userId),
          is_archived: isArchived,
          is_shared: isShared,
          is_ext_shared: isShared,
          is_org_shared: false,
        },
      };
    },
  },
  'conversations.open': {
    scopes: ['im:write'],
    run({ args, world }) {
      const person = world.workspace.findPerson(textArg(args, 'users') ?? '');
      if (!person) throw new SlackNo('user_not_found');
      if (person.isDeleted) throw new SlackNo('user_disabled');
      if (person.isBot) throw new SlackNo('cannot_dm_bot');
      return { channel: { id: world.workspace.openDm(person.id).id } };
    },
  },
};
