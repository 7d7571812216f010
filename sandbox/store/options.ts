import type { Timings } from '../../src/core/timings.ts';

/** The deployment whose Redis is stored. */
export const ENV_OF_STORED: Readonly<Record<string, string>> = {
  LAMPLIGHTER_EVERYONE: 'operator',
  LAMPLIGHTER_APPROVE: 'web-1,breaks',
  LAMPLIGHTER_AGENTS: 'yes',
  BILLING_CHANNELS: 'C0OPS000001',
};

export const TIMINGS_OF_STORED: Partial<Timings> = {
  apiTimeoutMs: 60_000,
  pollEveryMs: 400,
  settleMs: 800,
  postEveryMs: 5,
  editEveryMs: 5,
  mentionAfterMs: 0,
  billingCheckEveryMs: 500,
  watchEveryMs: 2_000,
};
