import { BOT, ORGANIZATION, type PersonRecord, TEAM } from '../../people.ts';
import type { BotAnswer } from '../bot/door.ts';
import { compact, type Json } from '../json.ts';
import type { World } from '../world.ts';
import type { Channel } from '../workspace/channel.ts';
import { isOrgWideIn } from './actor.ts';
import type { PostedMessage } from '../workspace/posted-message.ts';

/** Sends an event of a workspace once; undefined when the app is not subscribed to its type. */
export async function sendEvent(
  world: World,
  event: Json,
  channel?: Channel,
  teamId: string = TEAM.id,
): Promise<BotAnswer | undefined> {
  if (!world.settings.events.includes(subscription(event))) return undefined;
  const enterprise = world.settings.inOrganization ? ORGANIZATION.id : null;
  const isOrgWide = isOrgWideIn(world, teamId);
  return world.door.deliver('events_api', {
    ...envelope(world, event),
    team_id: teamId,
    ...(enterprise === null ? {} : { enterprise_id: enterprise }),
    context_team_id: teamId,
    context_enterprise_id: enterprise,
    authorizations: [
      {
        enterprise_id: enterprise,
        // An installation for the whole organization is in no one workspace.
        team_id: isOrgWide ? null : teamId,
        user_id: world.installs.botUserIn(teamId),
        is_bot: true,
        is_enterprise_install: isOrgWide,
      },
    ],
    is_ext_shared_channel: channel?.isShared ?? false,
  });
}

/** Sends an event about the installation in the organization, which names no workspace. */
export async function sendOrgEvent(world: World, event: Json): Promise<BotAnswer | undefined> {
  if (!world.settings.events.includes(subscription(event))) return undefined;
  return world.door.deliver('events_api', {
    ...envelope(world, event),
    team_id: null,
    enterprise_id: ORGANIZATION.id,
    authorizations: [
      { enterprise_id: ORGANIZATION.id, team_id: null, is_bot: true, is_enterprise_install: true },
    ],
  });
}

function envelope({ workspace }: World, event: Json): Json {
  return {
    token: 'sandbox-verification-token',
    api_app_id: BOT.appId,
    event: { event_ts: workspace.nextTs(), ...event },
    type: 'event_callback',
    event_id: workspace.nextId('Ev'),
    event_time: Math.floor(workspace.clock() / 1000),
    event_context: workspace.nextId('EC'),
  };
}

/** The event for a message that a person wrote: a mention in a channel, or a line in the direct message. */
export function messageEvent(
  person: PersonRecord,
  channel: Channel,
  message: PostedMessage,
): Json | undefined {
  const shared = sharedFields(person, channel, message);
  if (channel.kind === 'im') return { type: 'message', channel_type: 'im', ...shared };
  return message.text.includes(`<@${BOT.userId}>`) ? { type: 'app_mention', ...shared } : undefined;
}

/**
 * Tells of a message once more, by an event of its own: as a mention, or as a line in the direct messages, with what `over` says in
 * its place. Undefined when the app is not subscribed to it.
 */
export async function tellAgain(
  world: World,
  person: PersonRecord,
  message: PostedMessage,
  over: Json,
): Promise<BotAnswer | undefined> {
  const channel = world.workspace.getChannel(message.channel);
  const kind = channel.kind === 'im' ? { type: 'message', channel_type: 'im' } : { type: 'app_mention' };
  const event = { ...kind, ...sharedFields(person, channel, message), ...over };
  return sendEvent(world, event, channel);
}

function sharedFields(person: PersonRecord, channel: Channel, message: PostedMessage): Json {
  const isElsewhere = person.teamId !== TEAM.id;
  return compact({
    user: person.id,
    team: TEAM.id,
    user_team: isElsewhere ? person.teamId : undefined,
    source_team: isElsewhere ? person.teamId : undefined,
    text: message.text,
    ts: message.ts,
    thread_ts: message.thread_ts,
    channel: channel.id,
    event_ts: message.ts,
  });
}

function subscription(event: Json): string {
  return event['type'] === 'message' ? `message.${String(event['channel_type'])}` : String(event['type']);
}
