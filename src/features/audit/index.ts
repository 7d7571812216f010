import type { Route } from '../../core/intake/route.ts';
import { type AuditRouteDeps, auditRoute } from './audit.ts';
import { type HistoryDeps, historyRoute } from './history.ts';

/** Who did what, of everything: a route of the bot itself. */
export function auditRoutes(deps: AuditRouteDeps): readonly Route[] {
  return [auditRoute(deps)];
}

/** Who did what with one instance: a route of the instances. */
export function historyRoutes(deps: HistoryDeps): readonly Route[] {
  return [historyRoute(deps)];
}
