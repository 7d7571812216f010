import type { Bot } from '../../core/bot/bot.ts';
import type { Places } from '../../core/policy/places.ts';
import type { Button } from '../../platform/slack/message.ts';
import type { AlarmStore } from './alerts/alarm-store.ts';
import type { AlertConfig } from './alerts/alert-settings.ts';
import type { MoneyRead } from './alerts/seen.ts';
import type { Watched } from './alerts/watched.ts';
import type { BudgetStore } from './budget/budgets.ts';
import type { SpendingOf } from './budget/spending.ts';
import type { DigestStore } from './digest/record.ts';
import type { Days } from './ledger/days.ts';
import type { FillingStore } from './ledger/filling.ts';
import type { Outsides } from './outside/reports.ts';
import type { Billed } from './postpaid/budget.ts';
import type { Calendar } from './postpaid/watched-month.ts';
import type { ProposalStore } from './proposals/record.ts';
import type { ReadDailyCosts } from './range/expected.ts';
import type { Supposed } from './what-if/parse.ts';

/** The bot as the parts of billing have it, however the service is paid. */
export interface Billing extends Bot {
  readonly config: AlertConfig;
  readonly alarms: AlarmStore;
  readonly budgets: BudgetStore;
  readonly days: Days;
  readonly filling: FillingStore;
  readonly calendar: Calendar;
  /** The places outside of Slack that hear of it. */
  readonly outside: Outsides;
  /** The channels in which figures may stand. */
  readonly places: Places;
  readonly watched: Watched;
  /** Hands what a look has read to the ledger. It never throws: nothing else depends on it. */
  readonly noteLook: (read: MoneyRead) => Promise<void>;
  readonly dailyCosts: ReadDailyCosts;
  readonly spendingOf: SpendingOf;
}

/** The same where a balance is paid before. */
export interface Prepaid extends Billing {
  readonly digest: DigestStore;
  readonly proposals: ProposalStore;
  /** The routes that change something, as far as the service offers it; each asks its presser whether they may. */
  readonly changeRoutes: Readonly<Partial<Record<Exclude<Supposed['does'], 'top up'>, string>>> & {
    readonly stop: string;
  };
}

/** The same where a month is paid afterwards. */
export interface Postpaid extends Billing {
  readonly billed: Billed;
  /** Where the instances are listed. */
  readonly instances: Button;
  /** What else can be looked at. */
  readonly details: readonly Button[];
}
