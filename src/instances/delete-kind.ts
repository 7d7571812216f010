import type { Protection } from '../access/protection.ts';
import type { HostingService } from '../hosting/service.ts';
import type { OperationKind } from '../operations/kind.ts';
import type { Sight } from '../operations/sight.ts';
import type { Timings } from '../timings.ts';
import { deleteCard, deleteEnding } from './delete-messages.ts';
import { judgeBeforeDelete, judgeDelete, judgeRefusedDelete } from './delete-rules.ts';

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
  };
}
