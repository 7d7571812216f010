import type { Route } from '../../core/intake/route.ts';
import { handoverRoute } from './handover.ts';
import type { HandoverDeps } from './things.ts';
import { answerRoutes } from './take.ts';

export type { HandoverDeps } from './things.ts';
export { handoverDeadLetters } from './take.ts';

/** Open things that pass from one person to another. */
export function handoverRoutes(deps: HandoverDeps): readonly Route[] {
  return [handoverRoute(deps), ...answerRoutes(deps)];
}
