import type { Access } from '../../core/policy/access.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Route } from '../../core/intake/route.ts';
import { subject } from '../../core/operations/messages.ts';
import type { Operations } from '../../core/operations/operations.ts';
import { ago, say } from '../../platform/slack/phrase.ts';
import { CANCEL_QUESTION } from '../../core/ask/question.ts';
import { cancelOffered } from '../../core/offers/canceled.ts';
import type { Offers } from '../../core/offers/offers.ts';

export const CANCEL_ROUTE = 'lamplighter.cancel';

/** The button "Cancel" of an operation in its cancel window: anybody who may run instances may stop it. */
export function cancelRoute(operations: Operations, access: Access): Route {
  return {
    id: CANCEL_ROUTE,
    verb: 'cancel',
    permission: 'operations:cancel',
    writes: true,
    summary: 'cancel an operation before anything is asked of the service',
    handle: async (ask) => {
      const known = await operations.find(ask.value ?? '');
      const { channelId } = ask.place;
      const at = { channelId, operationId: ask.id };
      const by = known && (await access.require(ask.actor, 'operations:cancel', known.subject, at));
      const canceled = await operations.cancel(ask.value ?? '', ask.actor, () => access.using([by], ask.id));
      if (canceled) return { lines: [say`Canceled. Nothing was done to ${subject(canceled)}.`] };
      const operation = await operations.find(ask.value ?? '');
      if (!operation)
        throw new Refusal('gone', say`I have no record of that any more. Its card shows its state.`);
      if (operation.canceledBy === ask.actor.userId) {
        return { lines: [say`Canceled. Nothing was done to ${subject(operation)}.`] };
      }
      throw new Refusal(
        'too-late',
        operation.outcome
          ? say`That ended ${ago(operation.outcome.at)}, so there is nothing to cancel. Its card shows how.`
          : say`Too late to cancel: I've already asked the hosting service to do it. Its card shows the progress.`,
      );
    },
  };
}

/** The button "Cancel" of everything that asks. */
export function cancelQuestionRoute({ offers }: { readonly offers: Offers }): Route {
  return {
    id: CANCEL_QUESTION,
    verb: 'cancel the question',
    permission: undefined,
    writes: false,
    summary: 'leave everything as it is',
    handle: async (ask) => {
      await cancelOffered(offers, ask, ask.value);
      return { lines: [say`Canceled. Nothing was changed.`] };
    },
  };
}
