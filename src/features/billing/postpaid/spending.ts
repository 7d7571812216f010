import { parseAmount, ZERO } from '../../../core/money/amount.ts';
import type { Route } from '../../../core/intake/route.ts';
import type { HostingService } from '../../../platform/hosting/service.ts';
import { unlessRedisIsAway } from '../../../platform/redis/away.ts';
import { say } from '../../../platform/slack/phrase.ts';
import type { Button } from '../../../platform/slack/message.ts';
import type { AlarmStore } from '../alerts/alarm-store.ts';
import type { AlertConfig } from '../alerts/alert-settings.ts';
import { type Billed, budgetOf } from './budget.ts';
import { forecastOf } from './forecast.ts';
import { spendingMessage } from './messages.ts';
import { type Calendar, readSpending } from './watched-month.ts';

export interface SpendingDeps {
  readonly hosting: HostingService;
  readonly store: AlarmStore;
  readonly config: AlertConfig;
  readonly billed: Billed;
  readonly calendar: Calendar;
  /** What else can be looked at. */
  readonly details: readonly Button[];
}

/** `/billing` of a service that is paid afterwards: this month so far, and what it comes to. It has no balance to run out. */
export function spendingRoute({ hosting, store, config, billed, calendar, details }: SpendingDeps): Route {
  return {
    id: 'billing.balance',
    verb: 'month',
    aliases: ['balance'],
    spoken: {
      isFirst: true,
      asks: [
        '(balance|credits|credit|money|runway|budget|forecast)',
        'how (much|long) * (left|last|spent|month)',
      ],
    },
    permission: 'billing:read',
    writes: false,
    usage: '',
    instead: say`I only know what this month costs so far. For earlier ones, say billing transactions or look at the dashboard of ${billed.name}.`,
    summary: 'what this month costs so far, what it comes to, and how much of its budget that is',
    suggests: async () => ({ title: 'What does this month cost?', message: 'month' }),
    handle: async () => {
      const [spending, alarm] = await Promise.all([
        readSpending(hosting),
        unlessRedisIsAway(store.get(), undefined),
      ]);
      const asOf = await calendar.today();
      const monthSoFar = parseAmount(spending.monthSoFar) ?? ZERO;
      return spendingMessage({
        currency: billed.currency,
        monthSoFar,
        owedBefore: parseAmount(spending.owedBefore),
        budget: parseAmount(budgetOf(alarm?.settings ?? {}, config)),
        forecast: forecastOf(monthSoFar, asOf),
        remark: spending.remark,
        asOf,
        details,
      });
    },
  };
}
