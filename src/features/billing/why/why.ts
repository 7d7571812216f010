import { explainMonth } from './explain-month.ts';
import { typedButton } from '../../../core/intake/typed-button.ts';
import type { Route } from '../../../core/intake/route.ts';
import { readMonth } from '../month/compared.ts';
import { figuresOf, sightOf } from '../month/figures.ts';
import { MONTH_ROUTE, WHY_ROUTE } from '../month/messages.ts';
import { type MonthDeps, toldOf } from '../month/month.ts';
import { parseMonth, wordsOf } from '../month/month-words.ts';
import { explain } from './explain.ts';
import { whyMessage } from './messages.ts';

/** `/billing why [october|2026-10|last month]`: why a month costs more or less than the month before, from the ledger. */
export function whyRoute(deps: MonthDeps): Route {
  return {
    id: WHY_ROUTE,
    verb: 'why',
    permission: 'usage:read',
    writes: false,
    usage: '[october | 2026-10 | last month]',
    summary: 'why a month costs more or less than the month before',
    tool: explainMonth,
    handle: async ({ actor, place: { channelId }, words }) => {
      const now = await deps.calendar.today();
      const asked = parseMonth(words, now, { takesMore: false, example: '/billing why october' });
      const maySee = await deps.access.which(actor, 'usage:read', channelId);
      const mayRead = await deps.access.which(actor, 'billing:read', channelId);
      const { days, before, ...compared } = await readMonth(deps, asked.month, now);
      const { names, maySeeId } = sightOf([...before, ...days], maySee);
      const back = await typedButton(deps.offers, 'By instance', {
        route: MONTH_ROUTE,
        words: wordsOf(asked),
      });
      const rights = { maySee, mayKnowAdded: mayRead('all') };
      const month = {
        ...compared,
        ...toldOf(asked, figuresOf(days, before, asked.by, rights), compared),
        asked,
        isAll: maySee('all'),
        unit: deps.unit,
        buttons: back ? [back] : [],
      };
      const explanation = compared.isCompared ? explain(before, days, maySeeId) : undefined;
      return whyMessage({ month, explanation, names });
    },
  };
}
