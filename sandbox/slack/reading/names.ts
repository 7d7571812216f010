import { BOT, SLACKBOT_ID } from '../../people.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** `@ana` for a person's id; the id itself when nobody has it. */
export function handleOf(workspace: Workspace, id: string): string {
  if (id === BOT.userId) return `@${BOT.handle}`;
  return `@${workspace.findPerson(id)?.handle ?? id}`;
}

/** Who wrote a message, as it stands over it. */
export function authorOf(workspace: Workspace, id: string): string {
  if (id === BOT.userId) return BOT.name;
  if (id === SLACKBOT_ID) return 'Slackbot';
  return workspace.findPerson(id)?.handle ?? id;
}

/** `#ops` for a channel's id. A private channel shows its name here, as it does to its members. */
export function channelNameOf(workspace: Workspace, id: string): string {
  return `#${workspace.findChannel(id)?.name ?? id}`;
}

/** `@oncall` for a group's id. */
export function groupHandleOf(workspace: Workspace, id: string): string {
  return `@${workspace.usergroups.find((group) => group.id === id)?.handle ?? id}`;
}
