import type { Ask } from '../../../core/ask/ask.ts';
import { Refusal } from '../../../core/refusal.ts';
import { findTargets } from '../../../core/schedules/find-targets.ts';
import { targetWords, whenWords } from '../../../core/schedules/messages.ts';
import type { Schedule } from '../../../core/schedules/schedule-record.ts';
import { HostingError } from '../../../platform/hosting/hosting-error.ts';
import type { HostingService, Instance, InstanceList } from '../../../platform/hosting/service.ts';
import { person, type Phrase, say } from '../../../platform/slack/phrase.ts';
import type { ScheduleDeps } from './deps.ts';
import { seenBy } from './list.ts';

/** More of them say no more than that there are many. */
const MAX_NAMED = 3;

/** The other schedules that are about some of these instances now, a line each, before one more is saved. */
export async function overlapLines(
  deps: ScheduleDeps,
  ask: Ask,
  instances: readonly Instance[],
): Promise<readonly Phrase[]> {
  const ids = new Set(instances.map(({ id }) => id));
  const others = (await seenBy(deps, ask, await deps.schedules.list())).filter(({ next }) => next);
  const hosting = listedOnce(deps.hosting);
  const isAbout = async (one: Schedule): Promise<boolean> => {
    if ('instances' in one.target) return one.target.instances.some(({ id }) => ids.has(id));
    const found = await findTargets({ ...deps, hosting }, one, deps.clock.now()).catch(noneFound);
    return found?.instances.some(({ id }) => ids.has(id)) ?? false;
  };
  const about = await Promise.all(others.map(isAbout));
  const those = others.filter((_, at) => about[at]);
  const which = ids.size === 1 ? 'It is' : 'Some of them are';
  const rest = those.length - MAX_NAMED;
  return [
    ...those
      .slice(0, MAX_NAMED)
      .map(
        ({ when, target, owner }) =>
          say`⚠️ ${which} in the schedule of ${person(owner.userId)} as well: ${whenWords(when)}, for ${targetWords(target)}.`,
      ),
    ...(rest > 0 ? [say`⚠️ And in ${rest} more.`] : []),
  ];
}

/** The service, whose list is read once however many filters are looked at. */
function listedOnce(hosting: HostingService): HostingService {
  let list: Promise<InstanceList> | undefined;
  return { ...hosting, listInstances: (options) => (list ??= hosting.listInstances(options)) };
}

/** What its filters can't find now overlaps with nothing. */
function noneFound(error: unknown): undefined {
  if (error instanceof HostingError || error instanceof Refusal) return undefined;
  throw error;
}
