import { z } from 'zod';
import { routeTool } from '../../../core/agents/tool.ts';
import { asUnread, isDown } from '../../../platform/hosting/hosting-error.ts';
import { fromBefore } from '../../../core/instances/messages.ts';
import { parseAmount } from '../../../core/money/amount.ts';
import { unlessRedisIsAway } from '../../../platform/redis/away.ts';
import { balanceIn } from '../alerts/seen.ts';
import { runwayOf, withExpected, type Reading, readBalance } from './reading.ts';
import { knownCosts } from '../range/expected.ts';
import type { Route } from '../../../core/intake/route.ts';
import type { HostingService } from '../../../platform/hosting/service.ts';
import { say } from '../../../platform/slack/phrase.ts';
import { balanceMessage } from './messages.ts';
import { type Billing, FIGURES } from '../billing.ts';
import { Refusal } from '../../../core/refusal.ts';
import { idOf } from '../../../platform/id.ts';
import { look } from '../alerts/balance-read.ts';
import { sharedMessage } from '../alerts/balance-face.ts';
import { following, toShow } from '../alerts/balance-seen.ts';

/** `/billing`: what is left, how long it lasts, and what happens then. */
export function balanceRoute(deps: Billing): Route {
  const { hosting, links, unit, clock, alarms, dailyCosts } = deps;
  return {
    id: 'billing.balance',
    verb: 'balance',
    spoken: {
      example: ['how much is left', 'the balance, and how long it lasts'],
      isFirst: true,
      asks: [
        '(balance|credits|credit|money|runway|funds)',
        'how (much|long) * (left|last|lasts|remaining)',
        'how (long|many days|much time) (do|does|have) (we|it|i) (have|got|last|left)',
        'how many days * (left|remaining)',
        'what is (left|remaining)',
        'how much longer',
        'when (should|must|do|will) (we|i) (have to|need to)? (top up|topup|top-up|pay|add credit)',
        'will (we|it|they|money) (make|last|survive)',
        '(run|running|ran) (out|dry)',
        '(out of|low on) (money|credits|credit)',
        'are we (broke|ok for money)',
        'what gets * once * gone',
        'what * (when|once|if) * (gone|zero|empty|runs out|used up)',
      ],
    },
    permission: 'billing:read',
    writes: false,
    usage: '',
    instead: say`/billing balance shows the balance as it is now; for the past, type /billing transactions --last 30d.`,
    summary: 'the balance and how long it lasts',
    suggests: async () => ({ title: 'How long does the balance last?', message: 'balance' }),
    tool: routeTool({
      name: 'get_balance',
      title: 'Get the balance',
      description: 'Gives what is left, what a day costs, and how long it is likely to last.',
      input: z.object({}),
      words: () => [],
    }),
    handle: async () => {
      const words = { unit, atZero: hosting.about.atZero, topUp: links.topUp };
      try {
        const [reading, list, costs] = await Promise.all([
          readBalance(hosting, clock.now),
          // The figures are worth showing without them.
          hosting.listInstances().catch(asUnread),
          knownCosts(dailyCosts),
        ]);
        return balanceMessage(withExpected(reading, costs), list, words);
      } catch (error) {
        const last = isDown(error)
          ? await unlessRedisIsAway(lastReading(alarms, hosting.about), undefined)
          : undefined;
        if (!last) throw error;
        const { lines } = balanceMessage(last, undefined, words);
        // What else there is to press needs the service's API.
        return fromBefore({ lines, ...(words.topUp.length > 0 ? { buttons: words.topUp } : {}) }, last.asOf);
      }
    },
  };
}

/** The balance as alerts read it last; undefined where they haven't. */
async function lastReading(
  alarms: Billing['alarms'],
  { isToppedUp }: HostingService['about'],
): Promise<Reading | undefined> {
  const seen = balanceIn((await alarms.get()).seen);
  const balance = parseAmount(seen?.balance);
  if (!seen || !balance) return undefined;
  const [perDay, asOf] = [parseAmount(seen.perDay), seen.at];
  return { balance, perDay, runway: runwayOf(balance, perDay, asOf), asOf, isToppedUp };
}

/** `/billing top-up`: the page where credit is bought, or where whoever runs the bot can say which it is. */
export function topUpRoute({ links: { topUp } }: Billing): Route {
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

const SHARE = 'billing.share';

/** The button under a balance: shows it, as it is now, to everybody in a channel where it may stand. */
export function shareRoute(deps: Billing): Route {
  const { hosting, links, alarms, places, outbox, unit, clock, dailyCosts } = deps;
  return {
    id: SHARE,
    verb: 'share',
    permission: 'billing:read',
    writes: true,
    summary: 'show the balance to everyone in this channel',
    handle: async (ask) => {
      const { channelId } = ask.place;
      if (!(await places.isAllowed(channelId)))
        throw new Refusal(
          'not-a-place',
          say`Account figures can't be shown in this channel, so I didn't share them. They can be shown where alerts go. To see where, type /billing alerts.`,
        );
      const read = await look(hosting, clock.now, dailyCosts);
      // The id follows from the request, so that a request carried out twice shows it once.
      const id = idOf(`share ${ask.id}`);
      const { seen: last, level } = await alarms.get();
      const seen = following(read, balanceIn(last), {
        isShort: level !== 'ok',
        wasShort: level !== 'ok',
        by: '',
      });
      const { topUp } = links;
      const words = { unit, about: hosting.about, topUp };
      const content = sharedMessage(toShow(seen), ask.actor.userId, words);
      await outbox.post({ id, to: { channelId }, content, guard: FIGURES });
      return ask.replaces ? undefined : { lines: [say`Shared in this channel.`] };
    },
  };
}
