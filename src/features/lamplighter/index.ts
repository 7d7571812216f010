import type { Tool } from '../../core/agents/tool.ts';
import type { Route, Feature } from '../../core/intake/route.ts';
import { CANCEL_ROUTE, cancelQuestionRoute, cancelRoute } from './cancel.ts';
import { cancelSaidRoute } from './cancel-said.ts';
import { helpRoute } from './help.ts';
import { boardRoute } from './board.ts';
import { homeRoute, type Lamplighter } from './home.ts';
import { lateRoute } from './late.ts';
import { suggestRoute } from './suggest.ts';
import { nowRoute } from './now.ts';
import { followRoute, operationsRoute } from './running.ts';
import { operationTools } from './tools.ts';
import { stopRestRoute } from './stop-rest.ts';
import { Refusal } from '../../core/refusal.ts';
import { say } from '../../platform/slack/phrase.ts';

export { goingOn } from './now.ts';

/** `/lamplighter`: the bot itself. `more`, `tools`: routes and tools that other features add to it. */
export function aboutFeature(deps: Lamplighter, more: readonly Route[], tools: readonly Tool[]): Feature {
  return {
    noun: 'lamplighter',
    default: 'lamplighter.help',
    summary: 'help, what is running, and who may do what',
    routes: [
      helpRoute(deps),
      operationsRoute(deps, CANCEL_ROUTE),
      followRoute(deps),
      cancelRoute(deps.operations, deps.access),
      cancelQuestionRoute(deps),
      cancelSaidRoute(deps, CANCEL_ROUTE),
      stopRestRoute(deps),
      boardRoute(deps),
      homeRoute(deps),
      nowRoute(deps),
      suggestRoute(deps),
      lateRoute(deps),
      ...more,
    ],
    tools: [...operationTools(deps), ...tools],
  };
}

/**
 * A command of the app for which the hosting service offers nothing. Slack shows the command all the same, so its answer
 * says why nothing comes of it; help doesn't mention it. `what`: what the service has none of. `service`: its name.
 */
export function notOfferedFeature(noun: string, what: string, service: string): Feature {
  const id = `${noun}.notOffered`;
  return {
    noun,
    default: id,
    verbless: () => id,
    summary: `nothing at ${service}`,
    routes: [
      {
        id,
        verb: noun,
        permission: undefined,
        writes: false,
        summary: 'says that the service offers nothing of the kind',
        handle: async () => {
          throw new Refusal('not-offered', say`${service} has no ${what} that I can read.`);
        },
      },
    ],
  };
}
