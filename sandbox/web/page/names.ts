import { SLACKBOT_ID } from '../../people.ts';
import type { WorkspaceOfPage } from '../wire.ts';

const BOT_AVATAR = '🏮';

/** How somebody is shown over their messages, by id. */
export function nameOf(workspace: WorkspaceOfPage, id: string): string {
  if (id === workspace.bot.id) return workspace.bot.name;
  if (id === SLACKBOT_ID) return 'Slackbot';
  return workspace.people.find((person) => person.id === id)?.name ?? id;
}

/** How somebody is mentioned, without the sign before it. */
export function handleOf(workspace: WorkspaceOfPage, id: string): string {
  if (id === workspace.bot.id) return workspace.bot.name;
  return workspace.people.find((person) => person.id === id)?.handle ?? id;
}

/** A channel's name by its id; its id where this person can't see it. */
export function channelNameOf(workspace: WorkspaceOfPage, id: string): string {
  return workspace.channels.find((channel) => channel.id === id)?.name ?? id;
}

/** What stands in somebody's picture, and which of eight colors it has. */
export function avatarOf(
  workspace: WorkspaceOfPage,
  id: string,
): { readonly text: string; readonly color: number } {
  if (id === workspace.bot.id) return { text: BOT_AVATAR, color: 0 };
  const name = nameOf(workspace, id);
  const initials = name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .join('')
    .slice(0, 2);
  const sum = [...id].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return { text: initials, color: 1 + (sum % 7) };
}
