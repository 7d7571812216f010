export { ACCESS_ROUTE } from './messages.ts';
export { APPROVALS_WAITING } from './approvals.ts';
export { explainRight, placeOfName, rightIn } from './can.ts';
export { findLeavers, tellLeavers } from './leavers.ts';
export type { WhoHolds } from './rights.ts';
export { ownedAccess } from './holdings.ts';
export { THAW } from './thaw.ts';
export { createWelcome } from './welcome.ts';

import type { Route } from '../../core/intake/route.ts';
import { approvalRoutes } from './approvals.ts';
import { approvalsWaitingRoute } from './approvals.ts';
import { answerRequest } from './answer-access.ts';
import { ANSWER_ROUTES, type How } from './ask-messages.ts';
import { ASK_ROUTE } from './messages.ts';
import { askThem } from './ask-them.ts';
import { canRoute } from './can.ts';
import { defaultAccountRoutes } from './default-account.ts';
import { freezeRoute } from './freeze.ts';
import { thawRoute } from './thaw.ts';
import { accessRoute } from './access.ts';
import { leavingRoutes } from './leaving.ts';
import type { Rights } from './rights.ts';

/** Who may do what, and who says so. */
export function accessRoutes(deps: Rights): readonly Route[] {
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

/** The button under a refusal that asks those who can give the right, and their answers. */
function askAccessRoutes(deps: Rights): readonly Route[] {
  const answer = (how: How, summary: string): Route => ({
    id: ANSWER_ROUTES[how],
    verb: how === 'no' ? 'refuse' : 'allow',
    permission: 'access:grant',
    writes: true,
    summary,
    handle: async (ask, audit) => {
      audit('recorded');
      return answerRequest(deps, ask, how);
    },
  });
  return [
    {
      id: ASK_ROUTE,
      serves: 'ask-for-right',
      verb: 'ask',
      permission: undefined,
      writes: true,
      summary: 'ask those who can give a right for it',
      handle: async (ask) => askThem(deps, ask),
    },
    answer('once', 'allow someone once what they asked for'),
    answer('for 8 h', 'allow someone for eight hours what they asked for'),
    answer('no', 'allow someone nothing of what they asked for'),
  ];
}
