import type { Workspace } from '../workspace/workspace.ts';
import { formatDate } from './dates.ts';
import { decode } from './entities.ts';
import { channelNameOf, groupHandleOf, handleOf } from './names.ts';

/** Slack's text as a person reads it: mentions, channels, dates and links resolved, entities decoded. */
export function readMrkdwn(workspace: Workspace, text: string): string {
  return decode(text.replace(/<([^<>]*)>/g, (_, inside: string) => readAngle(workspace, inside)));
}

function readAngle(workspace: Workspace, inside: string): string {
  const [target = '', ...labels] = inside.split('|');
  const label = labels.join('|');
  if (/^@[UW]/.test(target)) return handleOf(workspace, target.slice(1));
  if (target.startsWith('#C')) return channelNameOf(workspace, target.slice(1));
  if (target.startsWith('!subteam^')) return groupHandleOf(workspace, target.slice('!subteam^'.length));
  if (target.startsWith('!date^')) {
    const [, seconds, format = ''] = target.split('^');
    return formatDate(Number(seconds), format, label, workspace.clock());
  }
  if (target.startsWith('!')) return `@${target.slice(1)}`;
  const address = target.replace(/^mailto:/, '');
  return label === '' || label === address || target === `http://${label}`
    ? label || address
    : `${label} (${address})`;
}
