import { parseAmount } from '../../../core/money/amount.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Route } from '../../../core/routing/route.ts';
import type { Usage } from '../../../platform/hosting/service.ts';
import { plain, say } from '../../../platform/slack/phrase.ts';
import type { BillingDeps } from '../balance/balance.ts';
import { usageMessage } from '../balance/messages.ts';
import { byCost, type UsageLine } from './lines.ts';

/** `/billing usage [by instance|addon]`: what a day costs, most expensive first. */
export function usageRoute(deps: BillingDeps): Route {
  return {
    id: 'billing.usage',
    verb: 'usage',
    synonyms: ['costs', 'cost', 'spending'],
    permission: 'billing:read',
    writes: false,
    usage: '[by instance|addon]',
    summary: 'what a day costs, by instance or by add-on',
    handle: async (ask) => {
      const by = ask.value ?? wantedIn(ask.words);
      const usage = await deps.hosting.getUsage();
      const lines = by === 'addon' ? addonLines(usage) : instanceLines(usage);
      const total = parseAmount(usage.dailyTotalCredits);
      return usageMessage(lines.toSorted(byCost), {
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

function instanceLines({ instances }: Usage): UsageLine[] {
  return instances.map(({ id, name, dailyCredits, status }) => ({
    name: plain(name ?? '', 60),
    id,
    perDay: parseAmount(dailyCredits),
    state: status,
  }));
}

function addonLines({ addons }: Usage): UsageLine[] {
  return addons.map(({ id, type, tier, instanceName, dailyCredits, status }) => ({
    name: `${plain(type ?? '', 40)}${tier === undefined ? '' : ` (${plain(tier, 20)})`} on ${plain(instanceName ?? '', 40)}`,
    id,
    perDay: parseAmount(dailyCredits),
    state: status,
  }));
}
