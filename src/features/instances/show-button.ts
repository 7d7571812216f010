import { LIST_ROUTE, SHOW } from './route-ids.ts';
import type { Operation, Outcome } from '../../core/operations/operation.ts';
import type { Button } from '../../platform/slack/message.ts';

/** The button of an ended operation that shows its instance as it is then; all of them where it is gone. */
export function showButton({ id }: Pick<Operation, 'id'>, { code, result }: Outcome): Button {
  if (code === 'gone') return { label: 'All instances', routeId: LIST_ROUTE, value: id };
  // Nothing watches it any more, and it may have come further since.
  const isOpen = result === 'unknown' || code === 'no-end';
  return { label: isOpen ? 'Look again' : 'Show', routeId: SHOW, value: id };
}
