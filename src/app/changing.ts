import type { Change } from '../core/changes/change.ts';
import type { RequestDeps } from '../core/changes/begin-change.ts';
import type { Those } from '../core/changes/several.ts';
import type { Ask, Reply } from '../core/ask/ask.ts';
import type { AuditAttempt } from '../core/intake/route.ts';
import { LIST_ROUTE } from '../features/instances/index.ts';
import { CANCEL_ROUTE } from '../features/lamplighter/cancel.ts';
import { FOLLOW_ROUTE } from '../features/lamplighter/running.ts';
import type { Config } from './config/config.ts';

type Routes = Pick<RequestDeps, 'followRoute' | 'cancelRoute' | 'listRoute'>;

/** What every verb that changes something needs to be asked for. */
export function changingDeps<D extends { readonly config: Config }>(deps: D): D & Routes {
  return {
    ...deps,
    followRoute: FOLLOW_ROUTE,
    cancelRoute: CANCEL_ROUTE,
    listRoute: LIST_ROUTE,
  };
}

/** Shows what a verb would do with several instances, and asks, for features that offer it without having the verb. */
export function showing(
  deps: Omit<RequestDeps, keyof Routes> & {
    readonly config: Config;
    readonly changes: { readonly instances: readonly Change[] };
  },
  routeId: string,
): (ask: Ask, those: Those, audit: AuditAttempt) => Promise<Reply> {
  const change = deps.changes.instances.find(({ id }) => id === routeId);
  return async (ask, those, audit) => change?.showThose(changingDeps(deps), ask, those, audit);
}
