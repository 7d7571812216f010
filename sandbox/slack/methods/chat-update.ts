import type { MethodCall, Methods } from '../api/method.ts';
import { SlackNo } from '../api/refusal.ts';
import { type Json, records } from '../json.ts';
import { toContent } from '../limits/content.ts';
import type { Content } from '../workspace/posted-message.ts';
import { ownMessage } from './chat.ts';

const MAX_TEXT = 4000;

/** Editing the bot's own messages. */
export const chatUpdate: Methods = { 'chat.update': { scopes: ['chat:write'], run: update } };

/** Fields that are left out keep what they were; an empty list or object takes it away. */
function update(call: MethodCall): Json {
  const { args, world } = call;
  const message = ownMessage(call, 'cant_update_message');
  if (typeof args['text'] === 'string' && args['text'].length > MAX_TEXT) throw new SlackNo('msg_too_long');
  if (['text', 'blocks'].every((field) => args[field] === undefined)) throw new SlackNo('no_text');
  const before = message.content;
  const kept = {
    ...args,
    blocks: args['blocks'] ?? before.blocks,
    metadata: args['metadata'] ?? before.metadata,
  };
  const content = toContent(world, kept, world.workspace.getChannel(message.channel));
  refuseMismatch(before, content);
  world.workspace.edit(message, content);
  return {
    channel: message.channel,
    ts: message.ts,
    text: content.text,
    message: message.toJson({ withMetadata: true }),
  };
}

function refuseMismatch(before: Content, after: Content): void {
  const isRich = (content: Content): boolean =>
    records(content.blocks).some((block) => block['type'] === 'rich_text');
  if (after.blocks.length > 0 && isRich(before) && !isRich(after)) throw new SlackNo('block_mismatch');
}
