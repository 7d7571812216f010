import { Refusal, type RefusalCode } from '../../../core/refusal.ts';
import { isNotOffered } from '../../../platform/hosting/offered.ts';
import type { HostingService } from '../../../platform/hosting/service.ts';
import { say } from '../../../platform/slack/phrase.ts';

/** The code of the Refusal where the service offers no usage figures. */
export const USAGE_NOT_OFFERED = 'usage-not-offered';

/** The code of the Refusal where the service offers no list of transactions. */
export const TRANSACTIONS_NOT_OFFERED = 'transactions-not-offered';

/** The service, which says in words that it does not offer usage figures or transactions: a Refusal, not a fault. */
export function inWords(hosting: HostingService): HostingService {
  return {
    ...hosting,
    getUsage: (options) =>
      refusing(
        hosting.getUsage(options),
        USAGE_NOT_OFFERED,
        `This hosting service doesn't offer usage figures.`,
      ),
    listTransactions: (page, perPage, options) => {
      const read = hosting.listTransactions(page, perPage, options);
      // A page further on can be missing for other reasons.
      if (page > 1) return read;
      const words = `This hosting service doesn't offer a list of transactions.`;
      return refusing(read, TRANSACTIONS_NOT_OFFERED, words);
    },
  };
}

async function refusing<T>(read: Promise<T>, code: RefusalCode, words: string): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw isNotOffered(error) ? new Refusal(code, say`${words}`) : error;
  }
}
