import { parseAmount } from '../../../core/money/amount.ts';
import type { Route } from '../../../core/intake/route.ts';
import { pickedPlace, WHOLE_LIST } from '../../../core/lists/asked-page.ts';
import { choicesAmong } from '../../../core/lookup/choices.ts';
import type { Instance, Usage } from '../../../platform/hosting/service.ts';
import { BUTTON_TOKENS } from '../../../core/offers/offers.ts';
import { buttonTokenOf } from '../../../core/lookup/resolve.ts';
import { ALERT_ROUTES } from '../alerts/routes.ts';
import { atStake, isPaidApart, stopsAtZero, whyFree } from '../balance/at-zero.ts';
import { readBalance } from '../balance/reading.ts';
import { costsIn, haveAddons, usageOf } from '../usage/costs.ts';
import { costliestFirst, gainsOf, buyTimeMessage, MAX_STOPS } from './messages.ts';
import type { Prepaid } from '../billing.ts';

/** `/billing buy-time`, and the button of an alert: what stopping what runs would bring. Stops nothing by itself. */
export function buyTimeRoute(deps: Prepaid): Route {
  const { hosting, access, isProtected, links, offers, changeRoutes, unit, clock } = deps;
  const id = ALERT_ROUTES.buyTime;
  const place = pickedPlace({ listId: WHOLE_LIST, from: 0, start: id });
  const several = {
    routeId: id,
    placeholder: 'Pick what to stop',
    keeps: place,
    buttons: [{ label: 'Stop', routeId: changeRoutes.stop, value: place }],
  };
  return {
    id,
    verb: 'buy-time',
    spoken: {
      asks: [
        'what (can|could|should) (we|i) <stop> (to|so)',
        '(cheapest|best|easiest) way to (save|cut)',
        '(save|cut|reduce) * (money|credits|cost|costs|spending|day|bill|burn)',
        '(buy|gain|win) * time',
        'how * (save|cut|spend less)',
        '(what|how much) * (stopping|shutting down|turning off|switching off) * (save|saves|bring|brings|gain|gains)',
        'what * (save|saves|gain|gains) * (by|with|from) (stopping|shutting down|turning off|switching off)',
        '(what|how much) * (save|gain) * (if|when) * (stop|shut down|turn off|switch off)',
      ],
    },
    permission: 'billing:read',
    writes: false,
    usage: '',
    summary: 'what stopping what runs would bring, in days',
    handle: async () => {
      const [reading, list, usage] = await Promise.all([
        readBalance(hosting, clock.now),
        hosting.listInstances(),
        usageOf(hosting),
      ]);
      const { instances, incomplete } = list;
      const gains = gainsOf(reading, runningIn(instances, usage));
      const buttons = await Promise.all(
        gains.slice(0, MAX_STOPS).map(async (gain) => ({
          name: gain.name,
          routeId: changeRoutes.stop,
          value: await offers.make(BUTTON_TOKENS, { ...buttonTokenOf(gain), pickedTo: 'save-credits' }),
        })),
      );
      return buyTimeMessage(reading, gains, {
        unit,
        buttons,
        several,
        protectedCount: gains.filter(isProtected).length,
        apart: instances.filter(isPaidApart),
        incomplete,
        why: whyFree(reading, atStake(list)),
        topUp: links.topUp,
        hasAddons: haveAddons(usage, gains),
      });
    },
    choices: async (typed, mayPick, { actor, channelId }) => {
      const [usage, maySee] = await Promise.all([
        usageOf(hosting),
        access.which(actor, 'instances:read', channelId),
      ]);
      return choicesAmong(hosting, typed, (all) =>
        runningIn(all, usage)
          .filter((one) => mayPick(one) && maySee(one) && !isProtected(one))
          .toSorted(costliestFirst),
      );
    },
  };
}

/** What runs and is paid by the day, with what each costs a day. */
function runningIn(instances: readonly Instance[], usage: Usage) {
  const costs = costsIn(usage);
  return instances
    .filter(stopsAtZero)
    .map((one) => ({ ...one, perDay: parseAmount(costs.get(one.id) ?? one.dailyCostCredits) }));
}
