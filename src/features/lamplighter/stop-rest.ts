import { type Batch, itemsIn } from '../../core/batches/batch.ts';
import { STOP_REST_ROUTE } from '../../core/batches/card.ts';
import type { Access } from '../../core/policy/access.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import { ago, person, say } from '../../platform/slack/phrase.ts';
import type { Bot } from '../../core/bot/bot.ts';

/** The button "Cancel the rest" of a batch: anybody who may cancel may press it. What is in progress continues. */
export function stopRestRoute({ batches, access, clock }: Pick<Bot, 'clock' | 'access' | 'batches'>): Route {
  return {
    id: STOP_REST_ROUTE,
    verb: 'stop the rest',
    permission: 'operations:cancel',
    writes: true,
    summary: 'begin nothing more of several',
    isAskable: false,
    handle: async (ask) => {
      const batch = await batches.find(ask.value ?? '');
      if (!batch)
        throw new Refusal('gone', say`I have no record of that any more. Its card shows its state.`);
      await mayStop(access, ask, batch);
      const { userId } = ask.actor;
      const after = await batches.stop(batch.id, { why: 'person', by: userId, at: clock.now() });
      return answerOf(after ?? (await batches.find(batch.id)) ?? batch, userId);
    },
  };
}

/** Throws a Refusal where there is one among the rest that this person may not cancel. */
async function mayStop(
  access: Access,
  { id, actor, place: { channelId } }: Ask,
  batch: Batch,
): Promise<void> {
  const mayCancel = await access.which(actor, 'operations:cancel', channelId);
  const target = itemsIn(batch, 'waiting').find(({ subject }) => !mayCancel(subject))?.subject;
  if (target) await access.require(actor, 'operations:cancel', target, { channelId, operationId: id });
}

function answerOf(batch: Batch, userId: string): Reply {
  const { stopped } = batch;
  const left = itemsIn(batch, 'left').length;
  if (stopped?.by === userId) {
    return {
      lines: [
        say`Canceled the rest: ${left} of ${batch.items.length} stay as they are. What is in progress continues.`,
      ],
    };
  }
  if (!stopped)
    throw new Refusal(
      'too-late',
      say`That is over, so there is nothing to stop. Its card shows how it ended.`,
    );
  const who = stopped.by === undefined ? say`It stopped by itself` : say`${person(stopped.by)} stopped it`;
  throw new Refusal('over', say`${who} ${ago(stopped.at)}; its card shows what is left.`);
}
