import type { Bot } from '../../core/bot/bot.ts';
import type { Places } from '../../core/policy/places.ts';
import type { AlarmStore } from './alerts/alarm-store.ts';
import type { AlertConfig } from './alerts/alert-settings.ts';
import type { Watched } from './alerts/watched.ts';
import type { BudgetStore } from './budget/budgets.ts';
import type { Days } from './ledger/days.ts';
import type { FillingStore } from './ledger/filling.ts';
import type { Outsides } from './outside/reports.ts';
import type { Calendar } from './postpaid/watched-month.ts';

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
}
