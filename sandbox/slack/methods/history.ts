import { flagArg, textArg } from '../api/args.ts';
import type { MethodCall, Methods } from '../api/method.ts';
import { page } from '../api/paging.ts';
import { SlackNo } from '../api/refusal.ts';
import type { Json } from '../json.ts';
import type { Channel } from '../workspace/channel.ts';
import type { PostedMessage } from '../workspace/posted-message.ts';
import { readableChannel } from './where.ts';

/** What was said. Metadata comes back only when asked for with `include_all_metadata`. */
export const history: Methods = {
  'conversations.history': {
    run(call) {
      const channel = readableChannel(call);
      const shown = channel.messages.filter((message) => !message.isReply);
      return answer(call, shown.toReversed());
    },
  },
  'conversations.replies': {
    run(call) {
      const channel = readableChannel(call);
      const message = channel.find(textArg(call.args, 'ts') ?? '');
      if (!message || message.ephemeralFor !== undefined) throw new SlackNo('thread_not_found');
      const parent = channel.find(message.thread_ts ?? message.ts) ?? message;
      return answer(call, [parent, ...channel.replies(parent.ts)]);
    },
  },
};

function answer({ args, world }: MethodCall, all: PostedMessage[]): Json {
  const oldest = textArg(args, 'oldest') ?? '0';
  const latest = textArg(args, 'latest') ?? '9'.repeat(17);
  const isInclusive = flagArg(args, 'inclusive');
  const [from, to] = [Number(oldest), Number(latest)];
  const within = all.filter((message) => {
    const ts = Number(message.ts);
    return isInclusive ? ts >= from && ts <= to : ts > from && ts < to;
  });
  const { items, nextCursor } = page(within, args, { most: world.settings.historyLimit?.perPage ?? 999 });
  const withMetadata = flagArg(args, 'include_all_metadata');
  const counts = replyCounts(items[0] && world.workspace.findChannel(items[0].channel));
  const messages = items.map((message) => {
    const replies = counts.get(message.ts) ?? 0;
    const json = message.toJson({ withMetadata });
    return replies > 0 ? Object.assign(json, { reply_count: replies, thread_ts: message.ts }) : json;
  });
  return { messages, has_more: nextCursor !== '', response_metadata: { next_cursor: nextCursor } };
}

/** How many replies each thread of the channel has. */
function replyCounts(channel: Channel | undefined): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { isReply, thread_ts: parent } of channel?.messages ?? []) {
    if (isReply && parent !== undefined) counts.set(parent, (counts.get(parent) ?? 0) + 1);
  }
  return counts;
}
