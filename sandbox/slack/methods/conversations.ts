import { BOT, TEAM } from '../../people.ts';
import { flagArg, textArg } from '../api/args.ts';
import type { MethodCall, Methods } from '../api/method.ts';
import { page } from '../api/paging.ts';
import { SlackNo } from '../api/refusal.ts';
import type { Json } from '../json.ts';
import type { Channel } from '../workspace/channel.ts';
import { requireScope, visibleChannel } from './where.ts';

/** Channels and who is in them. */
export const conversations: Methods = {
  'conversations.info': {
    run(call) {
      const channel = visibleChannel(call);
      requireScope(call, channel, 'read');
      return { channel: channelJson(channel) };
    },
  },
  'conversations.list': { scopes: ['channels:read', 'groups:read', 'im:read'], run: list },
  'conversations.members': {
    run(call) {
      const channel = visibleChannel(call);
      requireScope(call, channel, 'read');
      const { items, more } = page([...channel.members], call.args);
      return { members: items, ...more };
    },
  },
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

function list(call: MethodCall): Json {
  const { args, world } = call;
  const types = (textArg(args, 'types') ?? 'public_channel').split(',');
  const names = { public: 'public_channel', private: 'private_channel', im: 'im' } as const;
  const visible = world.workspace.channels.filter(
    (channel) =>
      types.includes(names[channel.kind]) &&
      (channel.kind === 'public' || channel.members.has(BOT.userId)) &&
      !(flagArg(args, 'exclude_archived') && channel.isArchived),
  );
  for (const channel of visible) requireScope(call, channel, 'read');
  const { items, more } = page(visible, args);
  return { channels: items.map(channelJson), ...more };
}

function channelJson(channel: Channel): Json {
  if (channel.kind === 'im') {
    const user = [...channel.members].find((id) => id !== BOT.userId);
    return { id: channel.id, is_im: true, user, is_org_shared: false, is_user_deleted: false };
  }
  return {
    id: channel.id,
    name: channel.name,
    is_channel: channel.kind === 'public',
    is_group: false,
    is_im: false,
    is_mpim: false,
    is_private: channel.kind === 'private',
    is_archived: channel.isArchived,
    is_member: channel.members.has(BOT.userId),
    is_shared: channel.isShared,
    is_ext_shared: channel.isShared,
    context_team_id: TEAM.id,
    num_members: channel.members.size,
  };
}
