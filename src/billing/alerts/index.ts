import type { Route } from '../../feature.ts';
import { type AlertsDeps, alertsRoute } from './alerts.ts';
import { answerRoutes } from './answer.ts';

/** What people set and answer of balance alerts. */
export function alertRoutes(deps: AlertsDeps): readonly Route[] {
  return [alertsRoute(deps), ...answerRoutes(deps)];
}
