import { type PersonRecord, SLACKBOT_ID } from '../../people.ts';
import { answerAsSlackbot } from '../slackbot/answer.ts';
import type { World } from '../world.ts';
import type { Channel } from '../workspace/channel.ts';
import { requirePresence } from './actor.ts';
import { compose } from './compose.ts';
import { messageEvent, sendEvent } from './event.ts';
import { Interaction } from './interaction.ts';

/** How a message is written. */
export interface SayOptions {
  /** The ts of the message to reply to. */
  readonly thread?: string;
  /** The text goes out as it is, without Slack's escaping and linking. */
  readonly raw?: boolean;
}

/** A person writes a message; if it concerns the bot, the bot is sent the event, once. Slackbot answers what is written to it. */
export async function say(
  world: World,
  person: PersonRecord,
  channel: Channel,
  typed: string,
  { thread, raw }: SayOptions,
): Promise<Interaction> {
  requirePresence(world, person, channel);
  if (channel.isArchived) throw new Error(`${channel.label} is archived`);
  const since = channel.history.length;
  const text = raw ? typed : compose(world.workspace, typed);
  const parent = thread === undefined ? undefined : channel.find(thread);
  if (thread !== undefined && !parent) throw new Error(`there is no message ${thread} in ${channel.label}`);
  const thread_ts = parent?.thread_ts ?? parent?.ts;
  const origin = { user: person.id, team: person.teamId, thread_ts };
  const message = world.workspace.post(channel, origin, { text, blocks: [] });
  if (channel.members.has(SLACKBOT_ID)) {
    const answer = await answerAsSlackbot(world, person, channel, typed);
    world.workspace.post(channel, { user: SLACKBOT_ID, thread_ts }, { text: answer, blocks: [] });
    return new Interaction(undefined, { channel, userId: person.id, since, message });
  }
  const event = messageEvent(person, channel, message);
  const answer = event && (await sendEvent(world, event, channel));
  return new Interaction(answer, { channel, userId: person.id, since, message });
}
