import type { PersonRecord } from '../../people.ts';
import type { World } from '../world.ts';
import type { PostedMessage } from '../workspace/posted-message.ts';
import { actorFields, payloadName, requirePresence, responseUrl } from './actor.ts';
import { Interaction } from './interaction.ts';

/** A person uses a shortcut of the app: from anywhere, or with `message` from the menu of that message. */
export async function useShortcut(
  world: World,
  person: PersonRecord,
  callbackId: string,
  message?: PostedMessage,
): Promise<Interaction> {
  const shared = {
    ...actorFields(world, person),
    callback_id: callbackId,
    trigger_id: world.triggers.create(person.id),
    action_ts: world.workspace.nextTs(),
  };
  const details = { userId: person.id, since: 0 };
  if (!message)
    return new Interaction(await world.door.deliver('interactive', { type: 'shortcut', ...shared }), details);
  const channel = world.workspace.getChannel(message.channel);
  requirePresence(world, person, channel);
  const answer = await world.door.deliver('interactive', {
    type: 'message_action',
    ...shared,
    channel: { id: channel.id, name: payloadName(channel) },
    message_ts: message.ts,
    message: message.toJson({ withMetadata: true }),
    response_url: responseUrl(world, world.responseUrls.create({ channel, userId: person.id })),
  });
  return new Interaction(answer, details);
}
