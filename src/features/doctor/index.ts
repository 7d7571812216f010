import type { Background } from '../../core/intake/feature.ts';
import type { Route } from '../../core/intake/route.ts';
import { PROBE_HANDLERS } from './check-way.ts';
import { doctorRoute } from './doctor.ts';
import { type RehearseDeps, rehearseRoute } from './rehearse.ts';

export { createExamine, type Examine } from './examine.ts';
export { createRehearsal } from './rehearsal.ts';
export { createWeeklyRehearsal, type WeeklyDeps } from './weekly.ts';
export type { Part } from './run-checks.ts';
export type { Leaver, Named, Names } from './judge-named.ts';
export { type Finding, isAnyFault } from './finding.ts';
export { type Examined, examinedText, findingText } from './messages.ts';

/** How the bot is set up, and whether a change would work: routes of the bot itself. */
export function doctorRoutes(deps: RehearseDeps): readonly Route[] {
  return [doctorRoute(deps), rehearseRoute(deps)];
}

/** The job that a rehearsal leaves in the queue, to see that it is taken. */
export const doctorBackground: Background = { handlers: PROBE_HANDLERS, swept: [] };
