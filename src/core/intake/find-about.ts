import type { Ask } from '../ask/ask.ts';
import type { Log } from '../../platform/log/log.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import { atMost } from '../../platform/time/at-most.ts';
import { type About, aboutOf } from './about.ts';
import type { Route } from './route.ts';
import type { RouteTable } from './routes.ts';
import type { FindNamed, FindSubject, Named } from './subject.ts';

/** How long the name behind a button is waited for: before an acknowledgement only a moment, since Slack waits for that. */
export const SUBJECT_WITHIN_MS = { decide: 2_000, refuse: 300 };

export interface AboutDeps {
  readonly findSubject: FindSubject;
  readonly findNamed: FindNamed;
  readonly routes: Pick<RouteTable, 'nounOf'>;
  readonly log: Log;
}

/** What an ask is about, with the names that are known in time. */
export async function findAbout(
  deps: AboutDeps,
  ask: Ask,
  route: Route,
  when: keyof typeof SUBJECT_WITHIN_MS = 'decide',
): Promise<About> {
  const { findSubject, routes } = deps;
  return aboutOf(ask, route, routes.nounOf(route.id), {
    subject: (value) => inTime(deps, when, findSubject(value)),
    named: (words) => namedIn(deps, ask, words, when),
  });
}

/** The instances that words name by their ids, if they are known in time. */
export async function namedIn(
  deps: Pick<AboutDeps, 'findNamed' | 'log'>,
  ask: Ask,
  words: readonly string[],
  when: keyof typeof SUBJECT_WITHIN_MS = 'decide',
): Promise<readonly Named[]> {
  return (await inTime(deps, when, deps.findNamed(ask, words))) ?? [];
}

/** What is found, if that is known in time. */
function inTime<Found>(
  { log }: Pick<AboutDeps, 'log'>,
  when: keyof typeof SUBJECT_WITHIN_MS,
  finding: Promise<Found>,
): Promise<Found | undefined> {
  const found = finding.catch((error: unknown) => {
    if (!isRedisAway(error)) log.error({ error }, 'finding what something is about');
    return undefined;
  });
  return atMost(SUBJECT_WITHIN_MS[when], found);
}
