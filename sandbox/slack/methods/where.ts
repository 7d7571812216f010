import { BOT } from '../../people.ts';
import { textArg } from '../api/args.ts';
import type { MethodCall } from '../api/method.ts';
import { SlackNo } from '../api/refusal.ts';
import { missingScope } from '../api/tokens.ts';
import type { Channel } from '../workspace/channel.ts';

/** The channel named by the arguments, as far as the bot can see it; throws SlackNo `channel_not_found`. */
export function visibleChannel({ args, world }: MethodCall): Channel {
  const channel = world.workspace.findChannel(textArg(args, 'channel') ?? '');
  if (!channel || (channel.kind !== 'public' && !channel.members.has(BOT.userId))) {
    throw new SlackNo('channel_not_found');
  }
  return channel;
}

/** A channel that the bot may post to. A person's id stands for their direct message. */
export function postableChannel(call: MethodCall): Channel {
  const { args, caller, world } = call;
  const target = textArg(args, 'channel') ?? '';
  const person = /^[UW]/.test(target) ? world.workspace.findPerson(target) : undefined;
  if (person?.isDeleted || person?.isBot)
    throw new SlackNo(person.isBot ? 'cannot_dm_bot' : 'channel_not_found');
  const channel = person ? world.workspace.openDm(person.id) : visibleChannel(call);
  if (channel.isArchived) throw new SlackNo('is_archived');
  if (!channel.members.has(BOT.userId) && !caller.scopes.has('chat:write.public'))
    throw new SlackNo('not_in_channel');
  return channel;
}

/** A channel whose messages the bot may read. */
export function readableChannel(call: MethodCall): Channel {
  const channel = visibleChannel(call);
  requireHistory(call, channel);
  if (!channel.members.has(BOT.userId)) throw new SlackNo('not_in_channel');
  return channel;
}

/** Throws SlackNo unless the token may read what is said in a channel of this kind. */
function requireHistory({ caller }: MethodCall, channel: Channel): void {
  const family = { public: 'channels', private: 'groups', im: 'im' }[channel.kind];
  const needed = `${family}:history`;
  if (!caller.scopes.has(needed)) throw missingScope([needed], caller);
}
