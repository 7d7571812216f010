import type { Channel } from '../workspace/channel.ts';
import type { Content, PostedMessage } from '../workspace/posted-message.ts';
import type { PostedFile } from '../workspace/files.ts';
import type { View } from '../workspace/views.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type Json, record, shown } from '../json.ts';
import { readBlock } from './blocks.ts';
import { decode } from './entities.ts';
import { readMrkdwn } from './mrkdwn.ts';
import { authorOf, handleOf } from './names.ts';

const PREVIEWED = 5;

/** What one message says, as a person reads it: its blocks, or its text when it has none. */
export function readMessage(workspace: Workspace, content: Content): string {
  const blocks = content.blocks.flatMap((block) => readBlock(workspace, block));
  const text = readMrkdwn(workspace, content.text);
  const files = (content.files ?? []).flatMap(readFile);
  const lines = blocks.length > 0 ? blocks : files.length > 0 && text === '' ? [] : [text];
  return [...lines, ...files].join('\n');
}

/** A file's name and how it begins, as Slack previews a text. */
function readFile({ name, bytes }: PostedFile): string[] {
  const all = bytes.toString('utf8').trimEnd().split(/\r?\n/);
  const more = all.length > PREVIEWED ? [`| … and ${all.length - PREVIEWED} more lines`] : [];
  const size = `${bytes.length.toLocaleString('en')} bytes`;
  return [`[file: ${name}, ${size}]`, ...all.slice(0, PREVIEWED).map((line) => `| ${line}`), ...more];
}

/** One message with its author and what Slack says about it. */
function renderMessage(workspace: Workspace, message: PostedMessage): string {
  const only = message.ephemeralFor;
  const marks = [
    only === undefined ? '' : ` (only you can see this, ${handleOf(workspace, only)})`,
    message.edits.length > 0 ? ' (edited)' : '',
  ].join('');
  const body = indent(readMessage(workspace, message.content), '  ');
  return `${authorOf(workspace, message.user)}${marks}\n${body}`;
}

/** A channel as text for the terminal; with `viewer`, as that person sees it. Replies stand under their message. */
export function transcript(workspace: Workspace, channel: Channel, viewer?: string): string {
  const all = viewer === undefined ? channel.history.filter((one) => !one.deleted) : channel.seenBy(viewer);
  const repliesTo = (ts: string): PostedMessage[] => all.filter((one) => one.isReply && one.thread_ts === ts);
  const isOrphan = (one: PostedMessage): boolean =>
    one.isReply && !all.some((other) => other.ts === one.thread_ts);
  return all
    .filter((message) => !message.isReply || isOrphan(message))
    .map((message) =>
      [
        renderMessage(workspace, message),
        ...repliesTo(message.ts).map((reply) => indent(renderMessage(workspace, reply), '    ')),
      ].join('\n'),
    )
    .join('\n\n');
}

/** A modal, or a Home, which has no title, as text: `blocks` are its own as the person left them. Errors stand under their inputs. */
export function renderView(workspace: Workspace, view: View, blocks: readonly Json[]): string {
  const label = (name: string): string => decode(shown(record(view.content[name])['text']));
  const lines = blocks.flatMap((block) => {
    const error = shown(view.errors[String(block['block_id'])]);
    return [...readBlock(workspace, block), ...(error ? [`  ! ${error}`] : [])];
  });
  const buttons = ['close', 'submit'].map(label).filter(Boolean);
  const foot = buttons.map((one) => `[ ${one} ]`).join(' ');
  const head = view.isHome ? [] : [`== ${label('title')} ==`];
  return [...head, ...lines, ...(foot ? [foot] : [])].join('\n');
}

function indent(text: string, by: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : by + line))
    .join('\n');
}
