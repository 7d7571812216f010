import { z } from 'zod';
import { routeTool } from '../../../core/agents/tool.ts';
import { oneOf } from '../../../core/ask/mend-words.ts';
import { parseAmount } from '../../../core/money/amount.ts';
import { askedPage } from '../../../core/lists/asked-page.ts';
import { keepList } from '../../../core/lists/shown-list.ts';
import type { Offers } from '../../../core/offers/offers.ts';
import type { Access } from '../../../core/policy/access.ts';
import type { Target } from '../../../core/policy/pattern.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Route } from '../../../core/intake/route.ts';
import type { Usage } from '../../../platform/hosting/service.ts';
import { plain, say } from '../../../platform/slack/phrase.ts';
import type { BillingDeps } from '../balance/balance.ts';
import { USAGE_ROUTE, usageMessage } from '../balance/messages.ts';
import { byCost, totalOf, type UsageLine } from './lines.ts';

export interface UsageDeps extends BillingDeps {
  readonly offers: Offers;
  readonly access: Access;
}

/** So many always fit into one message. */
const FEWEST_ON_A_PAGE = 20;

/** `/billing usage [by instance|addon]`: what a day costs, most expensive first. */
export function usageRoute(deps: UsageDeps): Route {
  return {
    id: USAGE_ROUTE,
    verb: 'usage',
    spoken: {
      asks: [
        ['(top|biggest) (spenders|spender|costs|consumers|eaters)', 'by instance'],
        [
          '(usage|costs|cost|spending|money|broken down|breakdown) * (by|per|each) (instance|box|machine|server)',
          'by instance',
        ],
        ['(usage|costs|cost|spending|broken down|breakdown) * (by|per|each) (addon|add-on)', 'by addon'],
        ['(eats|eating|burns|burning|costs|spends|uses) * (most|money|much)', ''],
        ['most (expensive|money|credits)', ''],
        '(daily burn|burn|burn rate|spending|usage|costs|costing)',
        '(what|how much) * cost * (day|daily|a day)?',
        'why * (more|higher|expensive|cost)',
        '(most expensive|expensive)',
        'what * eating * (money|credits)',
      ],
    },
    permission: 'usage:read',
    writes: false,
    usage: '[by instance|addon]',
    summary: 'what a day costs, by instance or by add-on',
    tool: routeTool({
      name: 'get_usage',
      title: 'Get what a day costs',
      description: 'Gives what a day costs now, by instance or by add-on.',
      input: z.object({ by: z.enum(['instance', 'addon']).default('instance') }),
      words: ({ by }) => [`by`, by],
    }),
    handle: async (ask) => {
      const page = await askedPage(deps, ask, '/billing usage');
      const isPage = page.listId !== undefined || ask.value === undefined;
      const by = isPage ? wantedIn(page.words) : ask.value;
      const usage = await deps.hosting.getUsage();
      const maySee = await deps.access.which(ask.actor, 'usage:read', ask.place.channelId);
      const lines = by === 'addon' ? addonLines(usage, maySee) : instanceLines(usage, maySee);
      // The service's own sum is of all of it.
      const total = maySee('all') ? parseAmount(usage.dailyTotalCredits) : undefined;
      const addons = totalOf(addonLines(usage, maySee));
      const listId =
        lines.length > FEWEST_ON_A_PAGE
          ? (page.listId ?? (await keepList(deps, ask, [by ?? ''])))
          : undefined;
      return usageMessage(lines.toSorted(byCost), {
        from: page.from,
        listId,
        by: by === 'addon' ? 'addon' : 'instance',
        unit: deps.unit,
        total,
        addons: addons.isWhole ? addons.total : undefined,
        asOf: deps.now(),
      });
    },
  };
}

const KINDS: ReadonlyMap<string, 'instance' | 'addon'> = new Map([
  ['instance', 'instance'],
  ['instances', 'instance'],
  ['addon', 'addon'],
  ['addons', 'addon'],
  ['add-on', 'addon'],
  ['add-ons', 'addon'],
]);

const BY = oneOf(['by', 'instance'], ['by', 'addon']);

/** Throws a Refusal for anything but "by instance" and "by addon". */
function wantedIn(words: readonly string[]): string {
  const named = words.filter((word) => word.toLowerCase() !== 'by');
  const unknown = named.filter((word) => !KINDS.has(word.toLowerCase()));
  const kinds = new Set(named.map((word) => KINDS.get(word.toLowerCase())));
  if (unknown.length > 0)
    throw new Refusal(
      'bad-usage',
      say`I don't know "${unknown.join(' ')}" here. I can show what a day costs now, by instance or by addon, as in /billing usage by addon; for the past, type /billing transactions --last 30d.`,
      BY,
    );
  if (kinds.size > 1)
    throw new Refusal('bad-usage', say`By instance, or by addon? I can show one of them at a time.`, BY);
  return [...kinds][0] ?? 'instance';
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
