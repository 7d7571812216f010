import { z } from 'zod';
import { routeTool } from '../../../core/agents/tool.ts';
import type { Ask } from '../../../core/ask/ask.ts';
import { typedButton } from '../../../core/intake/typed-button.ts';
import type { Route } from '../../../core/intake/route.ts';
import { sightOf } from '../month/figures.ts';
import { MONTH_ROUTE, WHY_ROUTE } from '../month/messages.ts';
import { readBooked, type TellableMonth } from '../month/month.ts';
import { type AskedMonth, monthInput, parseMonth, monthWords } from '../month/month-words.ts';
import { explain } from './explain.ts';
import { type ToldWhy, whyMessage } from './messages.ts';
import type { Billing } from '../billing.ts';

/** What explains a month. */
export interface WhySource extends Pick<Route, 'permission'> {
  /** Throws a Refusal where there are no figures of it. `now`: the calendar's, Unix ms. */
  explain(
    asked: AskedMonth,
    ask: Pick<Ask, 'actor' | 'place'>,
    now: number,
  ): Promise<Omit<ToldWhy, 'month'> & { readonly month: TellableMonth }>;
}

/** `/billing why [october|2026-10|last month]`: why a month costs more or less than the month before. */
export function whyRoute(
  { calendar, offers, unit }: Billing,
  { permission, explain: explained }: WhySource,
): Route {
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
      const { month, ...why } = await explained(asked, ask, now);
      const back = await typedButton(offers, 'By instance', { route: MONTH_ROUTE, words: monthWords(asked) });
      return whyMessage({ ...why, month: { ...month, asked, unit, buttons: back ? [back] : [] } });
    },
  };
}

/** The same by the ledger that transactions have filled. */
export function bookedWhy(deps: Billing): WhySource {
  return {
    permission: 'usage:read',
    explain: async (asked, ask, now) => {
      const { days, before, maySee, told } = await readBooked(deps, asked, ask, now);
      const { names, maySeeId } = sightOf([...before, ...days], maySee);
      const explanation = told.isCompared ? explain(before, days, maySeeId) : undefined;
      return { month: told, explanation, names };
    },
  };
}
