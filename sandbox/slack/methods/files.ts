import { BOT } from '../../people.ts';
import { textArg } from '../api/args.ts';
import type { MethodCall, Methods } from '../api/method.ts';
import { SlackNo } from '../api/refusal.ts';
import { type Json, records, string } from '../json.ts';
import type { PostedFile } from '../workspace/files.ts';
import { visibleChannel } from './where.ts';

const scopes = ['files:write'];

/** The three steps of an upload; the middle one is in use-upload-url.ts. */
export const files: Methods = {
  'files.getUploadURLExternal': {
    scopes,
    run({ args, world }) {
      const name = textArg(args, 'filename');
      const length = Number(args['length']);
      if (name === undefined || !Number.isInteger(length) || length < 1)
        throw new SlackNo('invalid_arguments');
      const { id, ticket } = world.files.announce(name, length);
      return { upload_url: `${world.addresses.files}/upload/${ticket}`, file_id: id };
    },
  },
  'files.completeUploadExternal': { scopes, run: complete },
};

function complete(call: MethodCall): Json {
  const { args, world } = call;
  const named = records(args['files']);
  if (named.length === 0) throw new SlackNo('invalid_arguments');
  const received = named.map((one): PostedFile => {
    const file = world.files.findReceived(string(one['id']) ?? '');
    if (!file) throw new SlackNo('file_not_found');
    return { ...file, title: string(one['title']) ?? file.name };
  });
  const where = textArg(args, 'channel_id');
  const channel =
    where === undefined ? undefined : visibleChannel({ ...call, args: { ...args, channel: where } });
  if (channel?.isArchived) throw new SlackNo('is_archived');
  // A file goes only where the bot is, whatever chat:write.public allows it to post.
  if (channel && !channel.members.has(BOT.userId)) throw new SlackNo('not_in_channel');
  for (const { id } of received) world.files.complete(id);
  if (channel) {
    const text = textArg(args, 'initial_comment') ?? '';
    const thread_ts = textArg(args, 'thread_ts');
    world.workspace.postAsBot(channel, { text, blocks: [], files: received }, { thread_ts });
  }
  return { files: received.map(({ id, title }) => ({ id, title })) };
}
