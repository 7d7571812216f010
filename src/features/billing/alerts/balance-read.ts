import type { Instance } from '../../../platform/hosting/service.ts';
import type { Expected } from '../range/expected.ts';

/** The balance and the list of instances as they were read. Amounts are decimals, times Unix ms. */
export interface BalanceRead {
  readonly balance: string;
  readonly perDay?: string;
  readonly at: number;
  /** How long it is likely to last, where the days before tell that. */
  readonly expected?: Expected;
  /** Left out where no list could be read. */
  readonly list?: {
    /** When it was read. */
    readonly at: number;
    readonly instances: readonly Pick<
      Instance,
      'id' | 'name' | 'tier' | 'status' | 'dailyCostCredits' | 'pausedFor' | 'isPaidByDay'
    >[];
    /** Whether these are all there are. */
    readonly isWhole: boolean;
  };
}
