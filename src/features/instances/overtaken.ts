import type { Operation, Outcome } from '../../core/operations/operation.ts';
import type { Past, PastStore } from '../../core/operations/recent-store.ts';
import { unforced } from '../../core/policy/forced.ts';
import type { Timings } from '../../core/timings.ts';
import type { HostingService, Power } from '../../platform/hosting/service.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { isAsWanted } from './power-rules.ts';

export interface OvertakenDeps {
  readonly hosting: Pick<HostingService, 'findInstance'>;
  readonly past: PastStore;
  readonly clock: Pick<RedisClock, 'now'>;
  readonly timings: Pick<Timings, 'listMayLagMs'>;
}

/**
 * Before the first call of a start or stop: whether another operation may have done the same since the instance was read
 * for this one, and it is as wanted already. Otherwise, if the call gets lost, the end of the other would be reported for
 * this one, too. Nothing can overtake it from here on, since it holds the lock. Throws HostingError.
 */
export async function endedAsOvertaken(
  power: Power,
  { hosting, past, clock, timings }: OvertakenDeps,
  { subject, requestedAt, execution }: Operation,
): Promise<Omit<Outcome, 'at'> | undefined> {
  // A restart is seen on its way, or not at all; and what is asked again may have been done by the call before.
  if (power === 'restart' || execution.sends > 0) return undefined;
  const since = requestedAt - timings.listMayLagMs;
  const isSame = ({ kind, at }: Past): boolean => at >= since && unforced(kind.split('.')[1] ?? '') === power;
  if (!(await past.list(subject.id, clock.now())).some(isSame)) return undefined;
  const instance = await hosting.findInstance(subject.id);
  return instance && isAsWanted(power, instance) ? { result: 'done', code: 'already' } : undefined;
}
