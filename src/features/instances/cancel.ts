import { findSurely } from '../../core/operations/find-surely.ts';
import { z } from 'zod';
import { type Change, change } from '../../core/changes/change.ts';
import type { Confirm } from '../../core/changes/declaration.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { say } from '../../platform/slack/phrase.ts';
import { cancelEnding, cancelPreview, wouldCancel, wrongNameToCancel } from './cancel-messages.ts';
import {
  isCanceled,
  judgeBeforeCancel,
  refuseCancel,
  type AtItsEnd,
  CANCEL_LABEL,
  DELETES,
} from './cancel-rules.ts';
import { addonsOf, readFreshly } from './delete.ts';
import type { InstanceVerbs } from './instances.ts';
import { withTheirPrice } from './price.ts';
import { CANCEL_AT_END } from './route-ids.ts';
import { showButton } from './power-messages.ts';
import { refusedWords } from './why-not.ts';

const KEEP = 'Keep it';

/** Its name is typed. */
const confirmCancel: Confirm = {
  how: 'typed',
  label: CANCEL_LABEL,
  title: 'Cancel a subscription',
  submit: 'Cancel subscription',
  word: ({ name }) => name,
  field: (name) => `Type ${name} to cancel it`,
  wrong: wrongNameToCancel,
};

/**
 * `/instances delete web-1` at a service that rents by a term: it is canceled, and runs until the end of that. It is done once the
 * service shows it as canceled, and never because that was asked for.
 */
export function cancelChange(deps: InstanceVerbs, deletion: AtItsEnd): Change {
  const { hosting, access, isProtected, unit, observer, timings } = deps;
  const { atEndOf, inShort } = deletion;
  const refuseUnlessPossible = (instance: Instance): void => {
    const refusal = refuseCancel(instance, isProtected(instance));
    if (refusal !== undefined) throw new Refusal(refusal, refusedWords('cancel', instance, refusal));
  };
  return change({
    id: CANCEL_AT_END,
    verb: 'delete',
    spoken: DELETES,
    permission: 'instances:delete',
    usage: '<name or id> [--because "…"] [--dry-run]',
    summary: `cancel one instance at the end of ${atEndOf}, after you typed its name`,
    example: '/instances delete web-1',
    words: {
      verb: 'cancel',
      offered: 'Cancel subscription of',
      doing: 'Canceling',
      done: 'Canceled',
      isBeing: 'being canceled',
      coming: 'be canceled',
      loses: say`It stays, and costs, until the end of ${atEndOf}. ${inShort}`,
      keep: KEEP,
    },
    args: z.object({}),
    passes: (instance) => refuseCancel(instance, isProtected(instance)) === undefined,
    check: async ({ ask, instance: listed, isConfirmed }) => {
      if (isConfirmed) {
        refuseUnlessPossible(listed);
        return {};
      }
      const [instance, addons] = await Promise.all([readFreshly(hosting, listed), addonsOf(hosting, listed)]);
      refuseUnlessPossible(instance);
      const known = await withTheirPrice(access, ask, instance);
      const preview = cancelPreview(known, addons, unit, deletion);
      return { instance, question: preview, would: wouldCancel(preview, instance, deletion) };
    },
    confirm: confirmCancel,
    cancelWindowMs: timings.cancelWindowMs,
    observer,
    prepare: async (operation) => {
      const instance = await findSurely(hosting, operation);
      return judgeBeforeCancel(operation, instance, instance !== undefined && isProtected(instance));
    },
    send: ({ subject }, options) => hosting.deleteInstance(subject.id, options),
    rule: { isReached: isCanceled, repeats: 'if-unchanged' },
    ending: cancelEnding,
    nextSteps: (operation, outcome) => [
      showButton(operation, outcome),
      { label: CANCEL_LABEL, routeId: CANCEL_AT_END, value: operation.id, style: 'danger' },
    ],
  });
}
