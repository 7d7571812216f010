import { textArg } from '../api/args.ts';
import type { Methods } from '../api/method.ts';
import { records } from '../json.ts';
import { withIds } from '../limits/content.ts';
import { checkView } from '../limits/views.ts';

/** Modals, one at a time. */
export const views: Methods = {
  'views.open': {
    run({ args, world }) {
      const userId = world.triggers.spend(
        textArg(args, 'trigger_id') ?? textArg(args, 'interactivity_pointer'),
      );
      const view = checkView(args['view']);
      const content = { ...view, blocks: withIds(world, records(view['blocks'])) };
      return { view: world.views.open(userId, content).toJson() };
    },
  },
};
