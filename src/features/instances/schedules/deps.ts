import type { RequestDeps } from '../../../core/changes/begin-change.ts';
import type { Holidays } from '../../../core/policy/holidays-section.ts';
import type { Protection } from '../../../core/policy/protection.ts';
import type { RedisClock } from '../../../platform/redis/clock.ts';
import type { Schedules } from '../../../core/schedules/schedules.ts';
import type { People } from '../../../platform/slack/people.ts';

export interface ScheduleDeps extends RequestDeps {
  readonly clock: RedisClock;
  readonly schedules: Schedules;
  readonly people: Pick<People, 'zone'>;
  readonly isProtected: Protection;
  /** The lists of holidays as the policy file has them by now. */
  readonly holidays: () => Holidays;
}
