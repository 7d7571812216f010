import { APPROVALS_WAITING } from '../features/access/index.ts';
import { LIST_SCHEDULES_ROUTE, SOME_FAVORITES_ROUTE, TROUBLE_ROUTE } from '../features/instances/index.ts';
import type { HomeDeps } from '../features/lamplighter/home.ts';
import type { AboutService } from '../platform/hosting/service.ts';

/** What the Home shows and offers of what features can do, where the service offers that. */
export function homeShows({ billing }: AboutService['offers']): HomeDeps['homeShows'] {
  const transactions = { label: 'Transactions', routeId: 'billing.transactions', value: 'newest' };
  return {
    sections: [
      { routeId: TROUBLE_ROUTE, isNow: true },
      { routeId: 'lamplighter.operations', isNow: true },
      { routeId: APPROVALS_WAITING, isOptional: true, isNow: true },
      { routeId: LIST_SCHEDULES_ROUTE, isOptional: true },
      { routeId: SOME_FAVORITES_ROUTE, isOptional: true },
      ...(billing === undefined ? [] : [{ routeId: 'billing.balance' }]),
    ],
    buttons: [
      { label: 'Instances', routeId: 'instances.list', value: '0', style: 'primary' },
      ...(billing === 'prepaid' ? [transactions] : []),
    ],
  };
}
