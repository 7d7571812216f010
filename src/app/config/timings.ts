import { type Timings, TIMINGS } from '../../core/timings.ts';
import type { Config } from './config.ts';

/** The waits the bot is shipped with, and those that the configuration sets. */
export function timingsOf(config: Pick<Config, 'deleteGraceMs' | 'billing'>): Timings {
  const { checkEveryMs, blindAfterMs } = config.billing;
  return {
    ...TIMINGS,
    deleteGraceMs: config.deleteGraceMs,
    billingCheckEveryMs: checkEveryMs,
    blindAfterMs,
  };
}
