import type { PersonRecord } from '../../people.ts';
import { compact, type Json } from '../json.ts';
import type { World } from '../world.ts';
import type { Channel } from '../workspace/channel.ts';
import { PostedMessage } from '../workspace/posted-message.ts';
import { actorFields, payloadName, requirePresence, responseUrl } from './actor.ts';
import { stateOf, targetId } from './state.ts';
import { blocksOf, findElement, type Found, type Target, type Wanted } from './target.ts';
import { Interaction } from './interaction.ts';

/** What the person has before them. */
export interface PressOptions {
  /** The version of the message on their screen, 0 the first; the present one when left out. */
  readonly version?: number;
}

/** A person presses a button, or a line of an overflow menu. */
export function press(
  world: World,
  person: PersonRecord,
  target: Target,
  wanted: Wanted,
  { version }: PressOptions = {},
): Promise<Interaction> {
  const found = findElement(blocksOf(target, version), wanted);
  const { element, option } = found;
  if (element['type'] === 'overflow' && !option)
    throw new Error(`${String(element['action_id'])} is a menu: name one of its lines`);
  const fields = option
    ? { selected_option: option }
    : { text: element['text'], value: element['value'], style: element['style'] };
  return act(world, person, target, found, compact(fields));
}

/** Sends `block_actions` for one element with these fields of its value. */
export async function act(
  world: World,
  person: PersonRecord,
  target: Target,
  found: Found,
  fields: Json,
): Promise<Interaction> {
  const { element, blockId } = found;
  const channel = channelOf(world, person, target);
  const since = channel?.history.length ?? 0;
  const action = {
    type: element['type'],
    action_id: element['action_id'],
    block_id: blockId,
    ...fields,
    action_ts: world.workspace.nextTs(),
  };
  const triggerId = world.triggers.create(person.id);
  const original = target instanceof PostedMessage ? target : undefined;
  const url =
    channel && responseUrl(world, world.responseUrls.create({ channel, userId: person.id, original }));
  const answer = await world.door.deliver('interactive', {
    type: 'block_actions',
    ...actorFields(world, person),
    ...surroundings(world, person, target),
    state: { values: stateOf(world, target, person.id) },
    trigger_id: triggerId,
    ...(url === undefined ? {} : { response_url: url }),
    actions: [action],
  });
  return new Interaction(answer, { channel, userId: person.id, since, triggerId, responseUrl: url });
}

/** Where an interaction comes from: container, channel and message, or the view. An ephemeral message is not sent. */
export function surroundings(world: World, person: PersonRecord, target: Target): Json {
  if (!(target instanceof PostedMessage)) {
    const view = target.toJson(stateOf(world, target, person.id));
    return { container: { type: 'view', view_id: targetId(target) }, view };
  }
  const channel = world.workspace.getChannel(target.channel);
  const isEphemeral = target.ephemeralFor !== undefined;
  return compact({
    container: compact({
      type: 'message',
      message_ts: target.ts,
      channel_id: channel.id,
      is_ephemeral: isEphemeral,
      thread_ts: target.thread_ts,
    }),
    channel: { id: channel.id, name: payloadName(channel) },
    message: isEphemeral ? undefined : target.toJson({ withMetadata: true }),
  });
}

function channelOf(world: World, person: PersonRecord, target: Target): Channel | undefined {
  if (!(target instanceof PostedMessage)) {
    if (target.userId !== person.id) throw new Error(`the view is not open for ${person.handle}`);
    if (!target.isOpen) throw new Error('the view is closed');
    return undefined;
  }
  const channel = world.workspace.getChannel(target.channel);
  requirePresence(world, person, channel);
  if (target.deleted) throw new Error('the message is gone');
  if (target.ephemeralFor !== undefined && target.ephemeralFor !== person.id) {
    throw new Error(`the message is not shown to ${person.handle}`);
  }
  return channel;
}
