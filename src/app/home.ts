import { APPROVALS_WAITING } from '../features/access/index.ts';
import { LIST_SCHEDULES_ROUTE, SOME_FAVORITES_ROUTE, TROUBLE_ROUTE } from '../features/instances/index.ts';
import type { Lamplighter } from '../features/lamplighter/home.ts';
import type { AboutService } from '../platform/hosting/service.ts';
import type { Ask } from '../core/ask/ask.ts';
import type { Message } from '../platform/slack/message.ts';
import { say, strong } from '../platform/slack/phrase.ts';
import { atMost } from '../platform/time/wait.ts';

/** What the Home shows and offers of what features can do, where the service offers that. */
export function homeShows({ billing }: AboutService['offers']): Lamplighter['homeShows'] {
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

/** What is going on in an account, for one person, by their rights there. */
type Summary = (ask: Ask) => Promise<Message>;

/** What the Home of one account says of the others. */
export interface OtherAccounts {
  /** An account tells how it is summed up. */
  add(account: string, summary: Summary): void;
  /** Those of these accounts, in their order. */
  summaries(accounts: readonly string[], ask: Ask): Promise<readonly Message[]>;
}

/** One account must not hold up the Home of another. */
const DRAWN_WITHIN_MS = 1_000;

function notRead(account: string): Message {
  return { lines: [say`${strong(account)}`, say`I can't read this account right now.`] };
}

export function createOtherAccounts(): OtherAccounts {
  const byAccount = new Map<string, Summary>();
  return {
    add: (account, summary) => {
      byAccount.set(account, summary);
    },
    summaries: (accounts, ask) =>
      Promise.all(
        accounts.flatMap((account) => {
          const summary = byAccount.get(account);
          if (!summary) return [];
          return [atMost(DRAWN_WITHIN_MS, summary(ask)).then((one) => one ?? notRead(account))];
        }),
      ),
  };
}
