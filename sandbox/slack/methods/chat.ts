import { BOT } from '../../people.ts';
import { flagArg, textArg } from '../api/args.ts';
import type { MethodCall, Methods } from '../api/method.ts';
import { SlackNo } from '../api/refusal.ts';
import type { Json } from '../json.ts';
import { toContent } from '../limits/content.ts';
import type { Channel } from '../workspace/channel.ts';
import type { PostedMessage } from '../workspace/posted-message.ts';
import { postableChannel, visibleChannel } from './where.ts';

const scopes = ['chat:write'];

/** Posting, and what can be done with a message afterwards. Editing is in chat-update.ts. */
export const chat: Methods = {
  'chat.postMessage': { scopes, run: postMessage },
  'chat.postEphemeral': { scopes, run: postEphemeral },
  'chat.delete': {
    scopes,
    run(call) {
      const message = ownMessage(call, 'cant_delete_message');
      call.world.workspace.remove(message);
      return { channel: message.channel, ts: message.ts };
    },
  },
};

function postMessage(call: MethodCall): Json {
  const { args, world } = call;
  const channel = postableChannel(call);
  const content = toContent(world, args, channel);
  const thread_ts = threadOf(channel, args);
  const reply_broadcast = flagArg(args, 'reply_broadcast');
  const message = world.workspace.postAsBot(channel, content, { thread_ts, reply_broadcast });
  const cut = (textArg(args, 'text')?.length ?? 0) > content.text.length;
  return {
    channel: channel.id,
    ts: message.ts,
    message: message.toJson({ withMetadata: true }),
    ...(cut ? { response_metadata: { warnings: ['message_truncated'] }, warning: 'message_truncated' } : {}),
  };
}

function postEphemeral(call: MethodCall): Json {
  const { args, world } = call;
  const channel = visibleChannel(call);
  if (channel.isArchived) throw new SlackNo('is_archived');
  if (!channel.members.has(BOT.userId)) throw new SlackNo('not_in_channel');
  const user = textArg(args, 'user') ?? '';
  if (!channel.members.has(user)) throw new SlackNo('user_not_in_channel');
  const content = toContent(world, args, channel);
  const where = { thread_ts: threadOf(channel, args), ephemeralFor: user };
  return { message_ts: world.workspace.postAsBot(channel, content, where).ts };
}

/** The thread to reply in: the parent's ts, even when the bot gave a reply's. */
function threadOf(channel: Channel, args: Json): string | undefined {
  const ts = textArg(args, 'thread_ts');
  if (ts === undefined) return undefined;
  const parent = channel.find(ts);
  if (!parent || parent.ephemeralFor !== undefined) throw new SlackNo('thread_not_found');
  return parent.thread_ts ?? parent.ts;
}

/** The bot's own message that the arguments name; throws SlackNo when it is not there or somebody else's. */
export function ownMessage(call: MethodCall, otherwise: string): PostedMessage {
  const channel = visibleChannel(call);
  if (channel.isArchived) throw new SlackNo('is_archived');
  const message = channel.find(textArg(call.args, 'ts') ?? '');
  if (!message || message.ephemeralFor !== undefined) throw new SlackNo('message_not_found');
  if (message.user !== BOT.userId) throw new SlackNo(otherwise);
  return message;
}
