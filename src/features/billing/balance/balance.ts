import { HostingError } from '../../../platform/hosting/hosting-error.ts';
import type { Route } from '../../../core/intake/route.ts';
import type { HostingService, InstanceList } from '../../../platform/hosting/service.ts';
import { say } from '../../../platform/slack/phrase.ts';
import { balanceMessage } from './messages.ts';
import { readBalance } from './reading.ts';

export interface BillingDeps {
  readonly hosting: HostingService;
  /** How credits are called. */
  readonly unit: string;
  readonly now: () => number;
}

/** `/billing`: what is left, how long it lasts, and what happens then. */
export function balanceRoute(deps: BillingDeps): Route {
  const { hosting, unit, now } = deps;
  return {
    id: 'billing.balance',
    verb: 'balance',
    spoken: {
      example: ['how much is left', 'the balance, and how long it lasts'],
      isFirst: true,
      asks: [
        '(balance|credits|credit|money|runway|funds)',
        'how (much|long) * (left|last|lasts|remaining)',
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
    instead: say`billing balance shows the balance as it is now; for the past, say billing transactions --last 30d.`,
    summary: 'the balance and how long it lasts',
    suggests: async () => ({ title: 'How long does the balance last?', message: 'balance' }),
    handle: async () => {
      const [reading, list] = await Promise.all([readBalance(hosting, now), instancesOf(hosting)]);
      return balanceMessage(reading, list, { unit, atZero: hosting.about.atZero });
    },
  };
}

/** The instances; undefined where they can't be read: the figures are worth showing without them. */
async function instancesOf(hosting: HostingService): Promise<InstanceList | undefined> {
  try {
    return await hosting.listInstances();
  } catch (error) {
    if (!(error instanceof HostingError)) throw error;
    return undefined;
  }
}
