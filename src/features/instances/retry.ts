import { RETRY_ROUTE } from '../../core/batches/card.ts';
import type { Change } from '../../core/changes/change.ts';
import type { RequestDeps } from '../../core/changes/begin-change.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Route } from '../../core/routing/route.ts';
import { say } from '../../platform/slack/phrase.ts';

/** The button "Retry failed" of a batch: anybody may press it who may do it with each of those. */
export function retryRoute(deps: RequestDeps, changes: readonly Change[]): Route {
  return {
    id: RETRY_ROUTE,
    verb: 'retry failed',
    permission: 'instances:power',
    writes: true,
    summary: 'ask once more for what failed',
    isAskable: async () => false,
    handle: async (ask, note) => {
      const batch = await deps.batches.find(ask.value ?? '');
      const change = changes.find(({ id }) => id === batch?.kind);
      // An id is no authority: what a channel shows is asked for again there alone.
      if (!batch || !change || batch.place.channelId !== ask.place.channelId)
        throw new Refusal(
          'gone',
          say`I have no record of that any more, so nothing was done. Ask again by name.`,
        );
      return change.retry(deps, ask, batch, note);
    },
  };
}
