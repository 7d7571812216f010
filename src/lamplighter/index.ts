import type { Feature } from '../feature.ts';
import type { Operations } from '../operations/operations.ts';
import { cancelRoute } from './cancel.ts';
import { type HelpDeps, helpRoute } from './help.ts';
import { followRoute, operationsRoute } from './running.ts';

/** `/lamplighter`: the bot itself. */
export function aboutFeature(deps: HelpDeps & { operations: Operations }): Feature {
  return {
    noun: 'lamplighter',
    standard: 'lamplighter.help',
    summary: 'help, and what is running',
    routes: [
      helpRoute(deps),
      operationsRoute(deps.operations),
      followRoute(deps.operations),
      cancelRoute(deps.operations),
    ],
  };
}
