import type { Operation } from '../../core/operations/operation.ts';
import type { PastStore } from '../../core/operations/recent-store.ts';
import { forced } from '../../core/policy/forced.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { BegunAction, HostingService } from '../../platform/hosting/service.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { findBegun, windowOf } from './begun-rules.ts';
import { FORCE_ROUTES, RESTART, START, STOP } from './route-ids.ts';

/** What each kind of operation asks for, by the words of a list of actions. */
export const DOES: Readonly<Record<string, BegunAction['does']>> = {
  [START]: 'start',
  [STOP]: 'stop',
  [RESTART]: 'restart',
  [FORCE_ROUTES.stop]: forced('stop'),
  [FORCE_ROUTES.restart]: forced('restart'),
};

/**
 * The action that an operation whose answer was lost has begun, or `none`; undefined where that is unknown: the service
 * lists nothing or its list can't be read, the clocks can't be compared, or more than one action may be it.
 */
export function createFindBegun({
  hosting,
  past,
  clock,
}: {
  readonly hosting: Pick<HostingService, 'listBegun'>;
  readonly past: Pick<PastStore, 'actionsSince'>;
  readonly clock: Pick<RedisClock, 'now'>;
}): (operation: Operation) => Promise<BegunAction | 'none' | undefined> {
  return async ({ kind, subject, execution: { state, sentAt } }) => {
    const does = Object.hasOwn(DOES, kind) ? DOES[kind] : undefined;
    if (state !== 'unknown' || sentAt === undefined || does === undefined) return undefined;
    const listAskedAt = clock.now();
    const begun = await hosting.listBegun(subject.id, { priority: 'poll' }).catch((error: unknown) => {
      // The instance itself was seen: that the list can't be read must not hide it.
      if (error instanceof HostingError) return undefined;
      throw error;
    });
    const call = { sentAt, listAskedAt, listReadAt: clock.now() };
    const window = begun && windowOf(begun, call);
    const known = window && (await past.actionsSince(subject.id, sentAt - window.earlierMs));
    return begun && window && known && !known.hasUnknown
      ? findBegun(begun, does, window, known.actionIds)
      : undefined;
  };
}
