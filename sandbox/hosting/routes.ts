import type { Account } from './account.ts';
import { addAddon, cancelAddon, listAddons } from './addons.ts';
import { billingSummary, usage } from './billing.ts';
import { detailRecord, listRecord, markShown, type Instance } from './instance.ts';
import { badFields, notFound, type Outcome } from './outcome.ts';
import { deleteInstance, powerInstance, type Pace } from './power.ts';
import type { Change, PowerAction } from './status.ts';

/** What a route is given: whose call it is, the id of its path (null if it can't be one), and the world's ways. */
interface Asked {
  readonly account: Account;
  readonly id: number | null;
  readonly body: unknown;
  readonly now: number;
  readonly pace: Pace;
  readonly nextAddonId: () => number;
}

/** One operation of the contract, under the contract's own path template. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly template: string;
  /** Whose id the path has; `account` where it has none. */
  readonly of: 'instance' | 'add-on' | 'account';
  /** Which change it makes to its instance, if any: what a behavior's faults are chosen by. */
  readonly change?: Change;
  /** What of an account it shows, where that can break by itself. */
  readonly shows?: 'balance';
  readonly run: (asked: Asked) => Outcome;
}

/** Every operation of openapi.yaml; a test holds the two to each other. */
export const routes: readonly Route[] = [
  {
    method: 'GET',
    template: '/api/v1/instances',
    of: 'account',
    run: ({ account, now }) => {
      const all = [...account.instances.values()];
      const items = all.map((each) => listRecord(each, now));
      for (const each of all) markShown(each, now);
      return { kind: 'list', of: 'instances', items };
    },
  },
  {
    method: 'GET',
    template: '/api/v1/instances/{id}',
    of: 'instance',
    run: (asked) =>
      withInstance(asked, (found) => {
        const record = detailRecord(found, asked.now);
        markShown(found, asked.now);
        return { kind: 'one', of: 'instance', status: 200, record };
      }),
  },
  {
    method: 'DELETE',
    template: '/api/v1/instances/{id}',
    of: 'instance',
    change: 'delete',
    run: (asked) =>
      withInstance(asked, (found) => deleteInstance(asked.account, found, asked.pace, asked.now)),
  },
  powerRoute('start'),
  powerRoute('stop'),
  powerRoute('restart'),
  {
    method: 'GET',
    template: '/api/v1/billing/summary',
    of: 'account',
    shows: 'balance',
    run: ({ account }) => ({ kind: 'one', of: 'billing', status: 200, record: billingSummary(account) }),
  },
  {
    method: 'GET',
    template: '/api/v1/billing/usage',
    of: 'account',
    run: ({ account }) => ({ kind: 'one', of: 'billing', status: 200, record: usage(account) }),
  },
  {
    method: 'GET',
    template: '/api/v1/billing/transactions',
    of: 'account',
    run: ({ account }) => ({ kind: 'list', of: 'transactions', items: account.ledger.transactions() }),
  },
  {
    method: 'GET',
    template: '/api/v1/addons',
    of: 'account',
    run: ({ account }) => listAddons(account),
  },
  {
    method: 'DELETE',
    template: '/api/v1/addons/{id}',
    of: 'add-on',
    change: 'remove add-on',
    run: ({ account, id }) => cancelAddon(account, id),
  },
  {
    method: 'POST',
    template: '/api/v1/instances/{id}/addons',
    of: 'instance',
    change: 'add add-on',
    run: (asked) =>
      withInstance(asked, (found) => {
        return addAddon(asked.account, found, asked.body, asked.nextAddonId(), asked.now);
      }),
  },
];

/**
 * What the contract does not have and a service may: the bot asks for none of it by itself, and a verb that is declared
 * elsewhere is tried against it.
 */
export const routesBeyondTheContract: readonly Route[] = [
  {
    method: 'PATCH',
    template: '/api/v1/instances/{id}',
    of: 'instance',
    run: (asked) =>
      withInstance(asked, (found) => {
        const { body } = asked;
        const name = typeof body === 'object' && body !== null && 'name' in body ? body.name : undefined;
        if (typeof name !== 'string' || name === '') return badFields({ name: 'is required' });
        found.name = name;
        return { kind: 'one', of: 'instance', status: 200, record: detailRecord(found, asked.now) };
      }),
  },
];

function powerRoute(action: PowerAction): Route {
  return {
    method: 'POST',
    template: `/api/v1/instances/{id}/${action}`,
    of: 'instance',
    change: action,
    run: (asked) =>
      withInstance(asked, (found) => powerInstance(asked.account, found, action, asked.pace, asked.now)),
  };
}

function withInstance(asked: Asked, run: (found: Instance) => Outcome): Outcome {
  const found = asked.id === null ? undefined : asked.account.instances.get(asked.id);
  return found === undefined ? notFound('Instance not found') : run(found);
}
