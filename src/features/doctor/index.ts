import type { Route } from '../../core/intake/route.ts';
import { doctorRoute } from './doctor.ts';
import type { Examine } from './examine.ts';

export { createExamine, type Examine, type Part } from './examine.ts';
export type { Leaver, Named, Names } from './judge-named.ts';
export { type Finding, isAnyFault } from './finding.ts';
export { type Examined, examinedText, findingText } from './messages.ts';

/** How the bot is set up: a route of the bot itself. */
export function doctorRoutes(deps: { readonly examine: Examine }): readonly Route[] {
  return [doctorRoute(deps)];
}
