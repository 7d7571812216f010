import { Refusal } from '../../../core/refusal.ts';
import type { Ask } from '../../../core/ask/ask.ts';
import type { Route } from '../../../core/intake/route.ts';
import { foreign, outOfDate } from '../../../core/offers/canceled.ts';
import { type NotTheirs, theirs } from '../../../core/offers/confirmation.ts';
import { type Draft, DRAFTS } from '../../../core/schedules/schedule-record.ts';
import { findTargets } from '../../../core/schedules/find-targets.ts';
import { asItRuns } from '../../../core/schedules/holidays.ts';
import { savedMessage } from '../../../core/schedules/messages.ts';
import { newSchedule } from '../../../core/schedules/schedule.ts';
import { MAX_SCHEDULES } from '../../../core/schedules/schedule-store.ts';
import { idOf } from '../../../platform/id.ts';
import { say } from '../../../platform/slack/phrase.ts';
import { SAVE_ROUTE } from './messages.ts';
import type { Bot } from '../../../core/bot/bot.ts';

/** The button "Save" of a schedule that was shown: only the person whom it was shown to, and with the right still. */
export function saveRoute(deps: Bot): Route {
  return {
    id: SAVE_ROUTE,
    verb: 'save the schedule',
    permission: 'instances:power',
    writes: true,
    summary: 'save a schedule that was shown',
    isAskable: false,
    outlastsOnce: true,
    handle: async (ask, audit) => {
      const { schedules, clock } = deps;
      const { draftId, scheduleId: id, draft, usedBy } = await findDraft(deps, ask);
      const { actor: owner, channelId, target, when } = draft;
      audit({ args: { schedule: id } });
      if (usedBy !== id) await refuseUnlessAllowed(deps, ask, draft);
      const schedule = newSchedule({ id, owner, channelId, target, when }, clock.now());
      if (!schedule.next)
        throw new Refusal(
          'too-late',
          say`That time is over by now, so nothing was saved. Schedule it again.`,
        );
      const saved = {
        id: `schedule-${id}-saved`,
        to: { channelId },
        content: savedMessage(asItRuns(schedule, deps.holidays())),
      };
      const result = await schedules.create(schedule, { draftId, says: [saved] });
      if (result === 'used') throw NOT_THEIRS.expired();
      if (result === 'full') {
        throw new Refusal(
          'too-many',
          say`There are ${MAX_SCHEDULES} schedules already, which is the most I keep, so nothing was saved. Remove one first: /instances schedules.`,
        );
      }
      return { lines: [say`Saved and posted here.`] };
    },
  };
}

/** What this person was shown, and the id of the schedule that it becomes. Throws a Refusal where it does not count. */
async function findDraft(
  { offers }: Bot,
  ask: Ask,
): Promise<{ draftId: string; scheduleId: string; draft: Draft; usedBy: string | undefined }> {
  const draftId = ask.value ?? '';
  const offer = await offers.find(DRAFTS, draftId);
  const draft = theirs(offer, ask, NOT_THEIRS);
  // The same draft is the same schedule, however often it is saved.
  return { draftId, scheduleId: idOf(`schedule ${draftId}`), draft, usedBy: offer.usedBy };
}

const NOT_THEIRS: NotTheirs<Draft> = {
  foreign: ({ actor }) => new Refusal('confirmation-foreign', foreign(actor, 'save it', 'saved for you')),
  expired: () =>
    new Refusal('confirmation-expired', outOfDate('saved', 'Schedule it again to see the next runs.')),
};

/** Throws a Refusal where the person may change none of it any more, or what was named is gone. */
async function refuseUnlessAllowed(
  deps: Bot,
  { id, actor, place: { channelId } }: Ask,
  draft: Draft,
): Promise<void> {
  const { instances, gone } = await findTargets(deps, { ...draft, owner: draft.actor }, deps.clock.now());
  const [first] = gone;
  if (first)
    throw new Refusal(
      'changed',
      say`${first.name} (${first.id}) ${first.why}, so nothing was saved. Schedule it again.`,
    );
  const decide = await deps.access.decisions(actor, 'instances:power', { channelId });
  const forbidden = instances.filter((one) => !decide(one).allowed);
  const [target] = forbidden;
  if (target && forbidden.length === instances.length)
    await deps.access.require(actor, 'instances:power', target, { channelId, operationId: id });
}
