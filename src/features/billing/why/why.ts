import { z } from 'zod';
import { routeTool } from '../../../core/agents/tool.ts';
import { typedButton } from '../../../core/intake/typed-button.ts';
import type { Route } from '../../../core/intake/route.ts';
import { MONTH_ROUTE, WHY_ROUTE } from '../month/messages.ts';
import type { MonthSource } from '../month/month.ts';
import { monthInput, parseMonth, monthWords } from '../month/month-words.ts';
import { whyMessage } from './messages.ts';
import type { Billing } from '../billing.ts';

/** `/billing why [october|2026-10|last month]`: why a month costs more or less than the month before. */
export function whyRoute({ calendar, offers, unit }: Billing, { permission, tell }: MonthSource): Route {
  return {
    id: WHY_ROUTE,
    verb: 'why',
    permission,
    writes: false,
    usage: '[october | 2026-10 | last month]',
    summary: 'why a month costs more or less than the month before',
    tool: routeTool({
      name: 'explain_month',
      title: 'Explain a month',
      description: 'Gives why a month costs more or less than the month before.',
      input: z.object({ month: monthInput }),
      words: ({ month }) => [month],
    }),
    handle: async (ask) => {
      const now = await calendar.today();
      const asked = parseMonth(ask.words, now, { takesMore: false, example: '/billing why october' });
      const { why, ...month } = await tell(asked, ask, now);
      const back = await typedButton(offers, 'By instance', { route: MONTH_ROUTE, words: monthWords(asked) });
      const told = { ...month, asked, unit, buttons: back ? [back] : [] };
      return whyMessage(told, month.isCompared ? why() : undefined);
    },
  };
}
