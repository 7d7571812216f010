import { parseAmount } from '../../../core/money/amount.ts';
import { askedPage } from '../../../core/lists/asked-page.ts';
import type { ShownLists } from '../../../core/lists/shown-lists.ts';
import type { Access } from '../../../core/policy/access.ts';
import type { Target } from '../../../core/policy/grant.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Route } from '../../../core/routing/route.ts';
import type { Usage } from '../../../platform/hosting/service.ts';
import { plain, say } from '../../../platform/slack/phrase.ts';
import type { BillingDeps } from '../balance/balance.ts';
import { USAGE_ROUTE, usageMessage } from '../balance/messages.ts';
import { byCost, type UsageLine } from './lines.ts';

export interface UsageDeps extends BillingDeps {
  readonly shownLists: ShownLists;
  readonly access: Access;
}

/** So many always fit into one message. */
const FEWEST_ON_A_PAGE = 20;

/** `/billing usage [by instance|addon]`: what a day costs, most expensive first. */
export function usageRoute(deps: UsageDeps): Route {
  const { shownLists } = deps;
  return {
    id: USAGE_ROUTE,
    verb: 'usage',
    synonyms: ['costs', 'cost', 'spending'],
    permission: 'usage:read',
    writes: false,
    usage: '[by instance|addon]',
    summary: 'what a day costs, by instance or by add-on',
    handle: async (ask) => {
      const page = await askedPage(deps, ask, 'billing usage');
      const isPage = page.listId !== undefined || ask.value === undefined;
      const by = isPage ? wantedIn(page.words) : ask.value;
      const usage = await deps.hosting.getUsage();
      const { userId } = ask.actor;
      const maySee = await deps.access.which(ask.actor, 'usage:read', ask.place.channelId);
      const lines = by === 'addon' ? addonLines(usage, maySee) : instanceLines(usage, maySee);
      // The service's own sum is of all of it.
      const total = maySee('all') ? parseAmount(usage.dailyTotalCredits) : undefined;
      const listId =
        lines.length > FEWEST_ON_A_PAGE
          ? (page.listId ?? (await shownLists.keep({ userId, words: [by ?? ''] })))
          : undefined;
      return usageMessage(lines.toSorted(byCost), {
        from: page.from,
        listId,
        by: by === 'addon' ? 'addon' : 'instance',
        unit: deps.unit,
        total,
        asOf: deps.now(),
      });
    },
  };
}

/** Throws a Refusal for anything but "by instance" and "by addon". */
function wantedIn(words: readonly string[]): string {
  const [what = 'instance', ...more] = words.filter((word) => word.toLowerCase() !== 'by');
  const word = what.toLowerCase().replace(/s$/, '').replace('-', '');
  if ((word === 'instance' || word === 'addon') && more.length === 0) return word;
  throw new Refusal(
    'bad-usage',
    say`I can show usage by instance or by addon, as in billing usage by addon.`,
  );
}

type MaySee = (target: Target) => boolean;

function instanceLines({ instances }: Usage, maySee: MaySee): UsageLine[] {
  const theirs = instances.filter(({ id = '', name = '' }) => maySee({ id, name }));
  return theirs.map(({ id, name, dailyCredits, status }) => ({
    name: plain(name ?? '', 60),
    id,
    perDay: parseAmount(dailyCredits),
    state: status,
  }));
}

function addonLines({ addons }: Usage, maySee: MaySee): UsageLine[] {
  // It is known by the name of its instance alone.
  const theirs = addons.filter(({ instanceName: name = '' }) => maySee({ id: '', name }));
  return theirs.map(({ id, type, tier, instanceName, dailyCredits, status }) => ({
    name: `${plain(type ?? '', 40)}${tier === undefined ? '' : ` (${plain(tier, 20)})`} on ${plain(instanceName ?? '', 40)}`,
    id,
    perDay: parseAmount(dailyCredits),
    state: status,
  }));
}
