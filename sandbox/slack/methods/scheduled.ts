import { BOT } from '../../people.ts';
import { textArg } from '../api/args.ts';
import type { MethodCall, Methods } from '../api/method.ts';
import { page } from '../api/paging.ts';
import { SlackNo } from '../api/refusal.ts';
import type { Json } from '../json.ts';
import { toContent } from '../limits/content.ts';
import type { ScheduledMessage } from '../workspace/scheduled.ts';
import { postableChannel, visibleChannel } from './where.ts';

const scopes = ['chat:write'];

const FURTHEST_S = 120 * 86_400;
/** So many in a channel within so long. */
const MOST = 30;
const WITHIN_S = 5 * 60;
const NOT_DELETED_S = 60;

/** Messages that Slack posts later by itself. Each is checked as one that is posted at once. */
export const scheduled: Methods = {
  'chat.scheduleMessage': { scopes, run: schedule },
  'chat.deleteScheduledMessage': {
    scopes,
    run(call) {
      const { args, world } = call;
      const channel = visibleChannel(call);
      const id = textArg(args, 'scheduled_message_id');
      const message = world.scheduled.pending.find((one) => one.id === id && one.channel === channel);
      if (!message || message.postAt - world.scheduled.now <= NOT_DELETED_S)
        throw new SlackNo('invalid_scheduled_message_id');
      world.scheduled.delete(message);
      return {};
    },
  },
  'chat.scheduledMessages.list': { scopes, run: list },
};

function schedule(call: MethodCall): Json {
  const { args, world } = call;
  const channel = postableChannel(call);
  const content = toContent(world, args, channel);
  const postAt = Number(args['post_at'] ?? Number.NaN);
  if (!Number.isInteger(postAt)) throw new SlackNo('invalid_time');
  const { now, pending } = world.scheduled;
  if (postAt <= now) throw new SlackNo('time_in_past');
  if (postAt - now > FURTHEST_S) throw new SlackNo('time_too_far');
  const there = pending.filter((one) => one.channel === channel).map((one) => one.postAt - postAt);
  const before = there.filter((apart) => apart <= 0 && apart > -WITHIN_S).length;
  const after = there.filter((apart) => apart >= 0 && apart < WITHIN_S).length;
  if (Math.max(before, after) >= MOST) throw new SlackNo('restricted_too_many');
  const id = world.workspace.nextId('Q');
  world.scheduled.add({ id, channel, content, postAt });
  return {
    channel: channel.id,
    scheduled_message_id: id,
    post_at: postAt,
    message: { type: 'delayed_message', text: content.text, bot_id: BOT.botId, user: BOT.userId },
  };
}

/** Neither blocks nor metadata stand in it: https://github.com/slackapi/bolt-js/issues/1881 */
function list(call: MethodCall): Json {
  const { args, world } = call;
  const channel = textArg(args, 'channel') === undefined ? undefined : visibleChannel(call);
  const [from, to] = [Number(args['oldest'] ?? 0), Number(args['latest'] ?? Number.POSITIVE_INFINITY)];
  const all = world.scheduled.pending.filter(
    (one) => (channel === undefined || one.channel === channel) && one.postAt >= from && one.postAt <= to,
  );
  const { items, nextCursor } = page(all, args);
  return { scheduled_messages: items.map(toJson), response_metadata: { next_cursor: nextCursor } };
}

function toJson({ id, channel, postAt, createdAt, content }: ScheduledMessage): Json {
  return {
    id,
    channel_id: channel.id,
    post_at: postAt,
    date_created: createdAt,
    text: content.text,
  };
}
