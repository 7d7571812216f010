import { LIST_ROUTE } from './list-messages.ts';
import type { Operation, Outcome } from '../../core/operations/operation.ts';
import type { Button } from '../../platform/slack/message.ts';

export const SHOW = 'instances.show';
export const DELETE = 'instances.delete';

/** The button of an ended operation that shows its instance; all of them where it is gone. */
export function showButton({ id }: Pick<Operation, 'id'>, { code }: Outcome): Button {
  return code === 'gone'
    ? { label: 'All instances', routeId: LIST_ROUTE, value: id }
    : { label: 'Show', routeId: SHOW, value: id };
}
