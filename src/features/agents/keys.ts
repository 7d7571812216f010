import { key } from '../../platform/redis/key.ts';

export const agentKeys = {
  /** Agents with the hashes of their tokens, and what was proposed. */
  agents: key('agents'),
} as const;
