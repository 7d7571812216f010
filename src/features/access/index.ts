import type { Route } from '../../core/routing/route.ts';
import { type FreezeDeps, freezeRoute, thawRoute } from './freeze.ts';
import { type AccessRouteDeps, accessRoute } from './access.ts';

/** Who may do what, and who says so. */
export function accessRoutes(deps: AccessRouteDeps & FreezeDeps): readonly Route[] {
  return [accessRoute(deps), freezeRoute(deps), thawRoute(deps)];
}
