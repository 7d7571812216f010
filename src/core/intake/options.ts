import type { Choice } from '../../platform/slack/message.ts';
import { toOptionsAnswer } from '../../platform/slack/controls.ts';
import { atMost } from '../../platform/time/wait.ts';
import { modalIn } from './filled.ts';
import {
  channelIn,
  identityOf,
  countUnknownRoute,
  parseIncoming,
  suggestionSchema,
  whoActs,
} from './incoming.ts';
import type { Listeners, Listening } from './listeners.ts';

/** Slack shows nothing after three seconds. */
const CHOICES_WITHIN_MS = 2_500;

/** The choices of a picker for what has been typed into it. Nothing comes of it, so it is not admitted. */
export function createOptionsListener(
  deps: Pick<Listening, 'log' | 'metrics' | 'access' | 'routes' | 'intake'>,
): Listeners['typing'] {
  return async ({ body, ack, context }) => {
    const typing = parseIncoming(deps, suggestionSchema, body);
    if (!typing) return ack({ options: [] });
    const route = deps.routes.byId.get(typing.action_id);
    if (!route?.choices) {
      countUnknownRoute(deps, {
        request: identityOf(context).id,
        route: typing.action_id,
        by: typing.user.id,
      });
      return ack({ options: [] });
    }
    // It is answered with what only this person may see, to wherever the request came from.
    if (!(await deps.intake.isFirst(identityOf(context).id))) return ack({ options: [] });
    const actor = whoActs(typing);
    const channelId = channelIn(typing) ?? modalIn(typing)?.place.channelId;
    const { askedAt } = identityOf(context);
    const choose = async (): Promise<readonly Choice[]> => {
      if (!route.choices) return [];
      const { permission } = route;
      // What is for everybody says itself what of it is to be seen.
      const mayPick =
        permission === undefined ? () => false : await deps.access.which(actor, permission, channelId);
      return route.choices(typing.value, mayPick, { actor, askedAt, channelId, keeps: typing.block_id });
    };
    // An empty list is the most that can be said here.
    const choices = await atMost(CHOICES_WITHIN_MS, choose());
    await ack(toOptionsAnswer(choices ?? []));
  };
}
