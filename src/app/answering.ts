import type { AskedAccount } from '../core/accounts/whose.ts';
import { type AgentTools, type AgentToolsDeps, createAgentTools } from '../core/intake/agent-tools.ts';
import { type Answer, createAnswer } from '../core/intake/answer.ts';
import { createClaimLine, createReadLineKind } from '../core/intake/claim.ts';
import { createOfferLine } from '../core/intake/offer-line.ts';
import type { Feature } from '../core/intake/route.ts';
import { createReadReference } from '../core/intake/read-reference.ts';
import { createReadSentence } from '../core/intake/sentence.ts';
import { createFindNamed, createFindSubject } from '../core/intake/subject.ts';
import { withThis } from '../core/intake/this.ts';
import { unkept } from '../core/offers/offers.ts';
import { createFindAgent, type FindAgent } from '../features/agents/index.ts';
import type { Changing } from '../core/changes/changing.ts';
import type { Routed } from '../core/intake/routes.ts';
import { createFeatures } from './features.ts';
import type { FeaturesDeps } from './features-deps.ts';

/** What answers whatever is asked, in the words of whoever asks. */
export function createAnswering(given: Changing & Routed): Answer {
  return createAnswer({
    ...withThis(given),
    readSentence: createReadReference(given, createReadSentence(given)),
    findSubject: createFindSubject(given),
    findNamed: createFindNamed(given),
  });
}

/** What an account among others is asked about a line that names none. */
export type Lines = Pick<AskedAccount, 'offer' | 'claim' | 'readLineKind'>;

export function createLines(
  given: Parameters<typeof createOfferLine>[0] & Parameters<typeof createClaimLine>[0],
): Lines {
  return {
    offer: createOfferLine(given),
    claim: createClaimLine(given),
    readLineKind: createReadLineKind(given),
  };
}

/** Who asks through an agent, and what they can have called. */
export interface AccountAgents {
  readonly tools: AgentTools;
  readonly find: FindAgent;
}

export function createAgents(given: FeaturesDeps & Omit<AgentToolsDeps, 'toolFeatures'>): AccountAgents {
  const { config, offers } = given;
  // They are answered in words, which nobody can press.
  const toolFeatures: readonly Feature[] = config.hasAgents
    ? createFeatures({ ...given, offers: unkept(offers), features: () => toolFeatures })
    : [];
  return { tools: createAgentTools({ ...given, toolFeatures }), find: createFindAgent(given) };
}
