import { calendarOf } from '../../../platform/redis/clock.ts';
import type { Route } from '../../../core/intake/route.ts';
import { formRoute } from './form.ts';
import { schedulesRoute, showScheduleRoute } from './list.ts';
import { manageRoutes } from './manage.ts';
import { saveRoute } from './save.ts';
import type { Bot } from '../../../core/bot/bot.ts';
import { scheduleRoute } from './schedule.ts';

/** What can be said and pressed about schedules. */
export function scheduleRoutes(given: Bot): readonly Route[] {
  const deps = { ...given, clock: calendarOf(given.clock) };
  const schedule = scheduleRoute(deps);
  return [
    schedule,
    formRoute(deps, schedule),
    schedulesRoute(deps),
    saveRoute(deps),
    showScheduleRoute(deps),
    ...manageRoutes(deps),
  ];
}

export { ownedSchedules } from './owned.ts';
