import { parseAmount } from '../../../core/money/amount.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Spending } from '../../../platform/hosting/month.ts';
import type { HostingService, ReadOptions } from '../../../platform/hosting/service.ts';
import { HostingError } from '../../../platform/hosting/hosting-error.ts';
import type { Button } from '../../../platform/slack/message.ts';
import { say } from '../../../platform/slack/phrase.ts';
import type { AlertConfig } from '../alerts/alert-settings.ts';
import type { Watched } from '../alerts/watched.ts';
import { type Billed, budgetOf } from './budget.ts';
import { budgetCommand } from './budget-command.ts';
import { budgetFace, budgetMeasure } from './budget-face.ts';

/** Which month it is, by Redis' clock. */
export interface Calendar {
  /** Unix ms. */
  today(): Promise<number>;
}

/** A month that is paid afterwards: how much of its budget is used. `costs`: where a person is shown what costs most. */
export function watchedMonth(
  config: AlertConfig,
  billed: Billed,
  calendar: Calendar,
  costs: Button,
): Watched {
  return {
    look: async (hosting) => {
      const { monthSoFar } = await readSpending(hosting);
      return { monthSoFar, at: await calendar.today() };
    },
    measureOf: (settings) => {
      const budget = budgetOf(settings, config);
      return budget === undefined ? undefined : budgetMeasure(budget);
    },
    face: budgetFace(billed, costs),
    command: budgetCommand(config, billed),
  };
}

/** What this month costs. Throws a Refusal where there is an answer but no amount in it, else HostingError. */
export async function readSpending(hosting: HostingService, options?: ReadOptions): Promise<Spending> {
  try {
    const spending = await hosting.getSpending(options);
    if (parseAmount(spending.monthSoFar)) return spending;
  } catch (error) {
    if (!(error instanceof HostingError && error.fault === 'unreadable')) throw error;
  }
  throw new Refusal(
    'balance-unreadable',
    say`I couldn't read what this month costs: ${hosting.about.name} answered, but with no amount that I can read for certain. Look at its own dashboard.`,
  );
}
