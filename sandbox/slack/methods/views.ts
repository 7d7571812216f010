import { textArg } from '../api/args.ts';
import type { Methods } from '../api/method.ts';
import { type Json, records } from '../json.ts';
import { SlackNo } from '../api/refusal.ts';
import { withIds } from '../limits/content.ts';
import { checkView } from '../limits/views.ts';
import type { World } from '../world.ts';

/** Modals, one at a time, and Homes. */
export const views: Methods = {
  'views.open': {
    run({ args, world }) {
      const userId = world.triggers.spend(
        textArg(args, 'trigger_id') ?? textArg(args, 'interactivity_pointer'),
      );
      const content = contentOf(world, args['view'], 'modal');
      return { view: world.views.open(userId, content).toJson() };
    },
  },
  'views.publish': {
    run({ args, world }) {
      const person = world.workspace.findPerson(textArg(args, 'user_id') ?? '');
      if (!person) throw new SlackNo('invalid_arguments');
      const content = contentOf(world, args['view'], 'home');
      return { view: world.views.publish(person.id, content).toJson() };
    },
  },
};

/** The content of a view from the bot, checked, its blocks named. Throws SlackNo. */
function contentOf(world: World, given: unknown, surface: 'modal' | 'home'): Json {
  const view = checkView(given, surface);
  return { ...view, blocks: withIds(world, records(view['blocks'])) };
}
