export { ACCESS_ROUTE } from './route-ids.ts';
export { APPROVALS_WAITING } from './approvals-waiting.ts';
export { explainRight, placeOfName, rightIn } from './can.ts';
export { findLeavers, type LeaversDeps, tellLeavers } from './leavers.ts';
export { ownedAccess } from './owned.ts';
export { createWelcome, type WelcomeDeps } from './welcome.ts';

import type { Route } from '../../core/intake/route.ts';
import { type ApprovalRoutesDeps, approvalRoutes } from './approvals.ts';
import { type ApprovalsWaitingDeps, approvalsWaitingRoute } from './approvals-waiting.ts';
import { askAccessRoutes } from './ask-access.ts';
import type { AskAccessDeps } from './ask-them.ts';
import { type CanDeps, canRoute } from './can.ts';
import { type DefaultAccountDeps, defaultAccountRoutes } from './default-account.ts';
import { freezeRoute } from './freeze.ts';
import { type FreezeDeps, thawRoute } from './thaw.ts';
import { type AccessRouteDeps, accessRoute } from './access.ts';
import { leavingRoutes } from './leaving.ts';

/** Who may do what, and who says so. */
export function accessRoutes(
  deps: AccessRouteDeps &
    FreezeDeps &
    ApprovalRoutesDeps &
    ApprovalsWaitingDeps &
    CanDeps &
    AskAccessDeps &
    DefaultAccountDeps,
): readonly Route[] {
  return [
    accessRoute(deps),
    ...leavingRoutes(deps),
    canRoute(deps),
    freezeRoute(deps),
    thawRoute(deps),
    ...approvalRoutes(deps),
    approvalsWaitingRoute(deps),
    ...askAccessRoutes(deps),
    ...defaultAccountRoutes(deps),
  ];
}
