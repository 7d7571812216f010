import { type AgentTools, type AgentToolsDeps, createAgentTools } from '../core/intake/agent-tools.ts';
import { unkept } from '../core/offers/offers.ts';
import { createFindAgent, type FindAgent } from '../features/agents/index.ts';
import { createFeatures } from './features.ts';
import type { FeaturesDeps } from './features-deps.ts';

/** Who asks through an agent, and what they can have called. */
export interface AccountAgents {
  readonly tools: AgentTools;
  readonly find: FindAgent;
}

export function createAgents(given: FeaturesDeps & Omit<AgentToolsDeps, 'toolFeatures'>): AccountAgents {
  const { config, offers } = given;
  // They are answered in words, which nobody can press.
  const toolFeatures = config.hasAgents ? createFeatures({ ...given, offers: unkept(offers) }) : [];
  return { tools: createAgentTools({ ...given, toolFeatures }), find: createFindAgent(given) };
}
