import { recordOf } from '../../core/records/one-record.ts';
import type { Tool } from '../../core/agents/tool.ts';
import type { Route } from '../../core/intake/route.ts';
import { createPlaces } from '../../core/policy/places.ts';
import { answerRoutes } from './answer.ts';
import { agentRoute } from './manage.ts';
import { proposalTools } from './propose.ts';
import type { Proposing } from './proposing.ts';
import { AGENTS, unread } from './record.ts';
import { tokenRoute, type AgentToken, callerOf, findAgent } from './token.ts';
import type { Bot } from '../../core/bot/bot.ts';
import type { DeadLetterHandlers } from '../../core/outbox/send-posts.ts';
import { toldUnread, UNREAD_PROPOSAL } from './messages.ts';

export { listHeldAgents } from './held.ts';
export { parseToken } from './token.ts';

/** Agents, and what they propose to people: routes of the bot itself, and tools. */
export function agentsOf(
  given: Omit<Proposing, 'agents' | 'places'> & {
    /** Whether instances may be spoken of in a channel, whoever is there. */
    readonly isPlace: (channelId: string) => Promise<boolean>;
  },
): {
  readonly routes: readonly Route[];
  readonly tools: readonly Tool[];
} {
  const places = createPlaces({
    ...given,
    permission: 'instances:place',
    isAllowed: given.isPlace,
    // Nothing else may be posted there because an agent proposes there.
    choosing: async () => undefined,
  });
  const deps = { ...given, agents: recordOf(given, AGENTS), places };
  return {
    routes: [agentRoute(deps), tokenRoute(deps), ...answerRoutes(deps)],
    tools: proposalTools(deps),
  };
}

/** In whose name asks who shows this token; undefined for nobody. Throws what Redis throws. */
export type FindAgent = (token: AgentToken) => Promise<ReturnType<typeof callerOf> | undefined>;

export function createFindAgent(deps: Pick<Bot, 'redis' | 'faultPoints' | 'clock'>): FindAgent {
  const agents = recordOf(deps, AGENTS);
  return async (token) => {
    const agent = await findAgent(agents, token, deps.clock.now());
    return agent && callerOf(agent);
  };
}

/** Where a proposal reached nobody, its agent hears so, and its person once for that channel: nobody waits for it. */
export function agentDeadLetters(
  deps: Pick<Bot, 'redis' | 'faultPoints' | 'outbox' | 'clock'>,
): DeadLetterHandlers {
  const { outbox, clock } = deps;
  const agents = recordOf(deps, AGENTS);
  return {
    [UNREAD_PROPOSAL]: async (id) => {
      await agents.change(
        (record) => unread(record, id, clock.now()),
        async ({ proposals }) =>
          outbox.saying(
            proposals.flatMap((one) => {
              const { agent, actor, channelId } = one;
              if (one.id !== id || channelId === undefined) return [];
              return [
                {
                  id: `agent-unread-${agent}-${actor.userId}-${channelId}`,
                  to: { userId: actor.userId },
                  content: toldUnread(one, channelId),
                },
              ];
            }),
            'moved',
          ),
      );
    },
  };
}
