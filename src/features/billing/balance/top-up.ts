import type { Links } from '../../../core/links.ts';
import type { Route } from '../../../core/intake/route.ts';
import { say } from '../../../platform/slack/phrase.ts';

/** `/billing top-up`: the page where credit is bought, or where whoever runs the bot can say which it is. */
export function topUpRoute({ links: { topUp } }: { readonly links: Pick<Links, 'topUp'> }): Route {
  return {
    id: 'billing.top-up',
    verb: 'top-up',
    aliases: ['topup'],
    spoken: {
      asks: ['(top up|add credit|add credits|add money|add funds|buy credit|buy credits)', '(topup|top-up)'],
    },
    permission: 'billing:read',
    writes: false,
    usage: '',
    summary: 'the page where you add credit',
    handle: async () =>
      topUp.length > 0
        ? { lines: [say`You add credit at the hosting service; I can't pay from here.`], buttons: topUp }
        : {
            lines: [
              say`You add credit at the hosting service. I have no link to that page: the person who runs the bot can set BILLING_TOPUP_URL.`,
            ],
          },
  };
}
