import { BOT, ORGANIZATION, type PersonRecord, TEAM } from '../../people.ts';
import type { Json } from '../json.ts';
import type { World } from '../world.ts';
import type { Channel } from '../workspace/channel.ts';

/**
 * The part of every interaction that says who acts, and through which app. In an organization the person's workspace
 * may be another than the one they act in. Where the app is installed in the whole organization, Slack names no `team`.
 */
export function actorFields(world: World, person: PersonRecord): Json {
  const { settings } = world;
  const isOrgWide = isOrgWideIn(world, TEAM.id);
  return {
    user: { id: person.id, username: person.handle, name: person.handle, team_id: person.teamId },
    team: isOrgWide
      ? null
      : { id: TEAM.id, domain: TEAM.domain, ...enterpriseFields(settings.inOrganization) },
    api_app_id: BOT.appId,
    token: 'sandbox-verification-token',
    enterprise: settings.inOrganization ? { id: ORGANIZATION.id, name: ORGANIZATION.name } : null,
    is_enterprise_install: isOrgWide,
  };
}

/** Whether the app is installed in the organization, and in a workspace only over that. */
export function isOrgWideIn({ settings, installs }: World, teamId: string): boolean {
  return settings.isOrgWide || installs.isOrgWideIn(teamId);
}

/** How Slack names the organization beside a workspace. */
export function enterpriseFields(inOrganization: boolean): Json {
  return inOrganization ? { enterprise_id: ORGANIZATION.id, enterprise_name: ORGANIZATION.name } : {};
}

/** How Slack names a channel in a payload. */
export function payloadName(channel: Channel): string {
  return { public: channel.name, private: 'privategroup', im: 'directmessage' }[channel.kind];
}

/** Throws unless the person is in the channel: who is not there sees nothing to act on. */
export function requirePresence(world: World, person: PersonRecord, channel: Channel): void {
  if (channel.members.has(person.id) || person.isDeleted) return;
  throw new Error(`${person.handle} is not in ${world.workspace.getChannel(channel.id).label}`);
}

/** The full URL for an answer to this act. */
export function responseUrl(world: World, id: string): string {
  return `${world.addresses.hooks}/respond/${id}`;
}
