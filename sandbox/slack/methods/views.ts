import { textArg } from '../api/args.ts';
import type { MethodCall, Methods } from '../api/method.ts';
import { SlackNo } from '../api/refusal.ts';
import { type Json, records } from '../json.ts';
import { withIds } from '../limits/content.ts';
import { checkView } from '../limits/views.ts';
import type { World } from '../world.ts';
import type { View } from '../workspace/views.ts';

/** Modals and Home. */
export const views: Methods = {
  'views.open': {
    run({ args, world }) {
      const trigger = spendTrigger(args, world);
      const content = viewContent(world, args['view'], 'modal');
      const stack = world.views.stack(trigger.userId);
      if (stack[0] && trigger.viewId === undefined) world.views.close(stack[0], { all: true });
      return answer(world.views.open(trigger.userId, content));
    },
  },
  'views.push': {
    run({ args, world }) {
      const trigger = spendTrigger(args, world);
      const content = viewContent(world, args['view'], 'modal');
      if (trigger.viewId === undefined) throw new SlackNo('not_in_modal');
      return answer(world.views.open(trigger.userId, content));
    },
  },
  'views.update': {
    run({ args, world }) {
      const view = world.views.find({
        id: textArg(args, 'view_id'),
        externalId: textArg(args, 'external_id'),
      });
      if (!view) throw new SlackNo('not_found');
      const content = viewContent(world, args['view'], view.type === 'home' ? 'home' : 'modal');
      return answer(world.views.update(view, content, textArg(args, 'hash')));
    },
  },
  'views.publish': { run: publish },
};

/** The content of a view from the bot, checked, its blocks named; throws SlackNo. */
export function viewContent(world: World, given: unknown, surface: 'modal' | 'home'): Json {
  const view = checkView(given, surface);
  return { ...view, blocks: withIds(world, records(view['blocks'])) };
}

function publish({ args, world }: MethodCall): Json {
  const person = world.workspace.findPerson(textArg(args, 'user_id') ?? '');
  if (!person) throw new SlackNo('invalid_arguments');
  const content = viewContent(world, args['view'], 'home');
  return answer(world.views.publish(person.id, content, textArg(args, 'hash')));
}

function spendTrigger(args: Json, world: World): { userId: string; viewId: string | undefined } {
  return world.triggers.spend(textArg(args, 'trigger_id') ?? textArg(args, 'interactivity_pointer'));
}

function answer(view: View): Json {
  return { view: view.toJson() };
}
