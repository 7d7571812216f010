import { freezesOf } from '../../../core/policy/freeze.ts';
import { Refusal } from '../../../core/refusal.ts';
import { findTargets } from '../../../core/schedules/find-targets.ts';
import { inBackground } from '../../../platform/hosting/in-background.ts';
import type { Instance } from '../../../platform/hosting/service.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { destinationOf } from '../alerts/alert-settings.ts';
import type { AtEnd } from '../ledger/at-end.ts';
import { dayAt, startOf } from '../ledger/day.ts';
import { FIGURES, type Prepaid } from '../billing.ts';
import { EVIDENCE_DAYS, findProposal, type FoundProposal, NIGHTS, steadyIds } from './find.ts';
import { broughtMessage, calledOffMessage, proposalMessage } from './messages.ts';
import {
  mayPropose,
  type Proposals,
  proposedOf,
  refusedIds,
  withProposed,
  withRefused,
  withTold,
  broughtBy,
  daysNeeded,
  trialOf,
  withTrial,
} from './record.ts';
import type { Message } from '../../../platform/slack/message.ts';
import type { NewPost } from '../../../core/outbox/post.ts';

/** Where nobody has said in which zone they work. */
const DEFAULT_ZONE = 'UTC';

/** The zone whose nights are meant: that of the digest. */
async function zoneOf({ digest }: Prepaid): Promise<string> {
  return (await digest.get()).set?.schedule.zone ?? DEFAULT_ZONE;
}

/** What could be proposed now, and in which zone, or why nothing. `now`: the calendar's, Unix ms. Throws HostingError and what Redis says. */
export async function look(
  deps: Prepaid,
  record: Proposals,
  now: number,
): Promise<{ readonly found: FoundProposal; readonly zone: string }> {
  const [zone, days] = await Promise.all([
    zoneOf(deps),
    deps.days.list(dayAt(now - EVIDENCE_DAYS * DAY_MS), dayAt(now - DAY_MS)),
  ]);
  const steady = new Set(steadyIds({ days, zone }));
  const { instances } = await inBackground(deps.hosting).listInstances();
  const those = instances.filter(({ id, status }) => steady.has(id) && status === 'running');
  const mayBe = those.length === 0 ? [] : await notLeftOut(deps, those, refusedIds(record, now), now);
  const since = startOf(dayAt(now - NIGHTS * DAY_MS));
  const touches = new Map(
    await Promise.all(
      mayBe.map(async ({ id }) => [id, (await deps.past.since(id, since)).map(({ at }) => at)] as const),
    ),
  );
  const known = { days, zone, touches, mayBe: new Set(mayBe.map(({ id }) => id)) };
  return { found: findProposal(known), zone };
}

/** Those that are not protected, frozen, turned down or under a schedule. */
async function notLeftOut(
  deps: Prepaid,
  instances: readonly Instance[],
  refused: ReadonlySet<string>,
  now: number,
): Promise<readonly Instance[]> {
  const { freezes } = await deps.access.policy();
  if (freezes === 'unreadable') return [];
  const scheduled = new Set(
    (
      await Promise.all(
        (await deps.schedules.list()).map(async (one) => {
          if ('instances' in one.target) return one.target.instances;
          // A filter that nothing passes any more, as of a region that is gone.
          const found = await findTargets(deps, one, now).catch((error: unknown) => {
            if (error instanceof Refusal) return undefined;
            throw error;
          });
          return found?.instances ?? [];
        }),
      )
    )
      .flat()
      .map(({ id }) => id),
  );
  return instances.filter(
    (one) =>
      !deps.isProtected(one) &&
      !refused.has(one.id) &&
      !scheduled.has(one.id) &&
      freezesOf(freezes, one, now).length === 0,
  );
}

/**
 * What a reading of the ledger writes of proposals with its end: one more, that one is tried, or what a trial has brought. `now`: the
 * calendar's, Unix ms. Throws HostingError, a Refusal and what Redis says.
 */
export function createPropose(deps: Prepaid): AtEnd {
  const { proposals, outbox, unit } = deps;
  return async (now) => {
    const record = await proposals.get();
    const { proposed, trial } = record;
    if (proposed && trial) {
      const schedule = (await deps.schedules.list()).find(({ id }) => id === trial.scheduleId);
      if (trial.to >= dayAt(now)) {
        if (schedule && !schedule.paused) return undefined;
        const off = await postOf(deps, `${proposed.id}-off`, calledOffMessage(proposed));
        return proposals.moving(
          (is) => withRefused(is, proposed.id, now),
          () => outbox.saying(off, 'moved'),
        );
      }
      const { first, last } = daysNeeded(trial);
      const brought = broughtBy(proposed, trial, await deps.days.list(first, last));
      const said = await postOf(deps, `${proposed.id}-over`, broughtMessage(proposed, brought, unit));
      return proposals.moving(
        (is) => withTold(is, proposed.id, now),
        () => outbox.saying(said, 'moved'),
      );
    }
    const tried = proposed && trialOf(proposed, await deps.schedules.list());
    if (tried) return proposals.moving((is) => withTrial(is, tried, now));
    if (!mayPropose(record, now)) return undefined;
    const { found, zone } = await look(deps, record, now);
    if ('why' in found) return undefined;
    const next = proposedOf(found.proposal, `proposal-${dayAt(now)}`, zone, now);
    const said = await postOf(deps, next.id, proposalMessage(next, unit));
    if (said.length === 0) return undefined;
    return proposals.moving(
      (is) => withProposed(is, next),
      () => outbox.saying(said, 'moved'),
    );
  };
}

/** A message where alerts go; none where they go nowhere. */
async function postOf(deps: Prepaid, id: string, content: Message): Promise<readonly NewPost[]> {
  const to = destinationOf((await deps.alarms.get()).settings, deps.config, deps.admins());
  if (!to) return [];
  return [{ id, to, content, ...('channelId' in to ? { guard: FIGURES } : {}) }];
}
