import type { PersonRecord } from '../../people.ts';
import { compact } from '../json.ts';
import type { World } from '../world.ts';
import type { Channel } from '../workspace/channel.ts';
import { sendEvent } from './event.ts';
import { stateOf } from './state.ts';
import { Interaction } from './interaction.ts';

/** A person opens the app at a tab; `dm` is their direct message with the bot. */
export async function openHome(
  world: World,
  person: PersonRecord,
  dm: Channel,
  tab: 'home' | 'messages',
): Promise<Interaction> {
  const home = world.views.homeOf(person.id);
  const event = compact({
    type: 'app_home_opened',
    user: person.id,
    channel: dm.id,
    tab,
    view: home?.toJson(stateOf(world, home, person.id)),
  });
  return new Interaction(await sendEvent(world, event), { userId: person.id, since: 0 });
}
