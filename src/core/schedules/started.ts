import type { PastStore } from '../operations/past.ts';
import { unforced } from '../policy/permissions.ts';
import { subjectOf } from '../operations/begin.ts';
import { unlessAway } from '../refusal.ts';
import { findTargets } from './find-targets.ts';
import type { Schedule } from './schedule-record.ts';
import type { Parts } from '../parts/parts.ts';

/** An instance that somebody else than the schedule's owner started last, and who did. */
export interface Started {
  readonly name: string;
  readonly userId: string;
}

/** A longer list is looked through by nobody. */
const MOST = 20;

/**
 * What a stop is about and somebody else than its owner started since the last stop; nothing where that can't be read. `now`: Unix ms.
 */
export async function startedSince(
  {
    past,
    ...deps
  }: Pick<Parts, 'hosting' | 'access' | 'favorites'> & { readonly past: Pick<PastStore, 'since'> },
  schedule: Schedule,
  now: number,
): Promise<readonly Started[]> {
  const { owner, last, createdAt } = schedule;
  // Its latest run may be a start. What was stopped after it was started isn't named in any case.
  const stoppedAt = last?.verb === 'stop' ? last.at : createdAt;
  // Who started it is said where it is known: the announcement itself waits for nobody.
  const found = await unlessAway(findTargets(deps, schedule, now), undefined);
  const each = await Promise.all(
    (found?.instances ?? []).slice(0, MOST).map(async (instance): Promise<readonly Started[]> => {
      const userId = await starterOf(past, instance.id, stoppedAt);
      return userId === undefined || userId === owner.userId
        ? []
        : [{ name: subjectOf(instance).name, userId }];
    }),
  );
  return each.flat();
}

/** Who started an instance since, Unix ms, as far as the bot did it, where nobody stopped it after that. */
export async function starterOf(
  past: Pick<PastStore, 'since'>,
  instanceId: string,
  since: number,
): Promise<string | undefined> {
  const latest = (await past.since(instanceId, since)).find(
    ({ kind, result }) => POWER.has(verbOf(kind)) && !isUnknownStart(kind, result),
  );
  return latest && verbOf(latest.kind) === 'start' ? latest.userId : undefined;
}

const POWER: ReadonlySet<string> = new Set(['start', 'stop']);

/** Nobody knows whether it was started. */
function isUnknownStart(kind: string, result: string | undefined): boolean {
  return verbOf(kind) === 'start' && result === 'unknown';
}

function verbOf(kind: string): string {
  return unforced(kind.split('.')[1] ?? '');
}
