import { type Json, record, records, string } from '../json.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { formatDate } from './dates.ts';
import { channelNameOf, groupHandleOf, handleOf } from './names.ts';

/** A `rich_text` block as lines of plain text. */
export function readRichText(workspace: Workspace, block: Json): string[] {
  return records(block['elements']).flatMap((part) => readPart(workspace, part));
}

function readPart(workspace: Workspace, part: Json): string[] {
  if (part['type'] !== 'rich_text_list') return readLeaves(workspace, part).split('\n');
  return records(part['elements']).map((item) => `• ${readLeaves(workspace, item)}`);
}

function readLeaves(workspace: Workspace, part: Json): string {
  return records(part['elements'])
    .map((leaf) => readLeaf(workspace, leaf))
    .join('');
}

function readLeaf(workspace: Workspace, leaf: Json): string {
  const field = (name: string): string => string(leaf[name]) ?? '';
  switch (leaf['type']) {
    case 'text':
      return record(leaf['style'])['code'] === true ? `\`${field('text')}\`` : field('text');
    case 'link':
      return field('text') && field('text') !== field('url')
        ? `${field('text')} (${field('url')})`
        : field('url');
    case 'user':
      return handleOf(workspace, field('user_id'));
    case 'channel':
      return channelNameOf(workspace, field('channel_id'));
    case 'usergroup':
      return groupHandleOf(workspace, field('usergroup_id'));
    case 'date':
      return formatDate(Number(leaf['timestamp']), field('format'), field('fallback'), workspace.clock());
    default:
      return '';
  }
}
