import { LIST_ROUTE, SHOW } from './route-ids.ts';
import type { Operation, Outcome } from '../../core/operations/operation.ts';
import type { Button } from '../../platform/slack/message.ts';

/** The button of an ended operation that shows its instance; all of them where it is gone. */
export function showButton({ id }: Pick<Operation, 'id'>, { code }: Outcome): Button {
  return code === 'gone'
    ? { label: 'All instances', routeId: LIST_ROUTE, value: id }
    : { label: 'Show', routeId: SHOW, value: id };
}
