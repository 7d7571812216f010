import type { Protection } from '../../core/policy/protection.ts';
import type { HostingService } from '../../platform/hosting/service.ts';
import type { OperationKind } from '../../core/operations/kind.ts';
import type { Sight } from '../../core/operations/sight.ts';
import type { Timings } from '../../core/timings.ts';
import type { Operation, Outcome } from '../../core/operations/operation.ts';
import type { Button } from '../../platform/slack/message.ts';
import { deleteCard, deleteEnding } from './delete-messages.ts';
import { judgeBeforeDelete, judgeDelete, judgeRefusedDelete } from './delete-rules.ts';
import { showButton } from './show-button.ts';

export const DELETE = 'instances.delete';

/** A deletion as a kind of operation. `cancelRoute`: the route of the button that cancels it in its grace. */
export function deleteKind(deps: {
  hosting: HostingService;
  sight: Sight;
  isProtected: Protection;
  cancelRoute: string;
  timings: Timings;
}): OperationKind {
  const { hosting, sight, isProtected, cancelRoute, timings } = deps;
  return {
    kind: DELETE,
    permission: 'instances:delete',
    doing: 'being deleted',
    coming: 'be deleted',
    sight,
    prepare: async (operation) => {
      const instance = await hosting.findInstance(operation.subject.id);
      return judgeBeforeDelete(operation, instance, instance !== undefined && isProtected(instance));
    },
    send: (operation, options) => hosting.deleteInstance(operation.subject.id, options),
    judge: (operation, seen, now) => judgeDelete(operation, seen, now, timings),
    judgeRefused: judgeRefusedDelete,
    card: (operation) => deleteCard(operation, cancelRoute),
    ending: deleteEnding,
    nextSteps,
  };
}

/** A deletion is never asked again by one press: the button shows first what would be lost. */
function nextSteps(operation: Operation, outcome: Outcome): readonly Button[] {
  const show = showButton(operation, outcome);
  if (operation.effect.seen?.status === 'deleting') return [show];
  return [show, { label: 'Delete…', routeId: DELETE, value: operation.id, style: 'danger' }];
}
