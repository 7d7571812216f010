import { flagArg, textArg } from '../api/args.ts';
import { SlackNo } from '../api/refusal.ts';
import { isRecord, type Json, parseJson, records } from '../json.ts';
import type { World } from '../world.ts';
import type { Channel } from '../workspace/channel.ts';
import type { Content } from '../workspace/posted-message.ts';
import { rulesAcross, withChildren } from './across.ts';
import { messageBlocks } from './blocks.ts';
import { brokenRules, pointed } from './faults.ts';
import { checkMetadata } from './metadata.ts';

const MAX_TEXT = 40_000;
/** Slack doesn't say how large blocks may be as JSON; refusals are reported from 11,300 characters on. */
const LARGEST_BLOCKS = 10_000;

/** The content of a message for a channel from the arguments of a call; throws SlackNo as Slack refuses it. */
export function toContent(world: World, args: Json, channel: Pick<Channel, 'refusesBlocks'>): Content {
  const blocks = checkBlocks(args['blocks']);
  if (blocks.length > 0 && channel.refusesBlocks)
    throw refused(['unsupported type [json-pointer:/blocks/0/type]']);
  if (blocks.length > 0 && JSON.stringify(blocks).length >= LARGEST_BLOCKS)
    throw new SlackNo('msg_blocks_too_long');
  const text = textArg(args, 'text');
  if (text === undefined && blocks.length === 0) throw new SlackNo('no_text');
  return {
    text: (text ?? '').slice(0, MAX_TEXT),
    blocks: withIds(world, blocks),
    metadata: checkMetadata(args['metadata']),
    linksNames: flagArg(args, 'link_names') || args['parse'] === 'full',
    isLiteral: args['parse'] === 'none',
  };
}

/** The blocks of a message, checked; throws SlackNo with Slack's words for each broken rule. */
export function checkBlocks(given: unknown): Json[] {
  const value = typeof given === 'string' ? parseJson(given) : given;
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new SlackNo('invalid_blocks_format');
  const own = brokenRules(messageBlocks, value);
  const broken = own.length > 0 ? own : rulesAcross(records(value));
  if (broken.length > 0) throw refused(broken.map((rule) => pointed(rule, 'blocks')));
  if (withChildren(records(value)).filter(({ block }) => block['type'] === 'table').length > 1) {
    throw new SlackNo('invalid_attachments', {
      response_metadata: { messages: ['[ERROR] only_one_table_allowed'] },
    });
  }
  return records(value);
}

/** Gives every block its `block_id` and every element its `action_id`, as Slack does where the app gave none. */
export function withIds(world: World, blocks: readonly Json[]): Json[] {
  const named = (element: unknown): unknown =>
    isRecord(element) && 'type' in element && !('action_id' in element)
      ? { ...element, action_id: world.workspace.nextId('a') }
      : element;
  return blocks.map((block) => ({
    ...block,
    block_id: block['block_id'] ?? world.workspace.nextId('b'),
    ...(block['child_blocks'] ? { child_blocks: withIds(world, records(block['child_blocks'])) } : {}),
    ...(block['type'] === 'actions' ? { elements: records(block['elements']).map(named) } : {}),
    ...(block['element'] ? { element: named(block['element']) } : {}),
  }));
}

function refused(errors: string[]): SlackNo {
  return new SlackNo('invalid_blocks', {
    errors,
    response_metadata: { messages: errors.map((one) => `[ERROR] ${one}`) },
  });
}
