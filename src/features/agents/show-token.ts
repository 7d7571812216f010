import type { Route } from '../../core/intake/route.ts';
import { entryOf } from '../../core/audit/entry-of.ts';
import { Refusal } from '../../core/refusal.ts';
import { say } from '../../platform/slack/phrase.ts';
import { AGENT_ROUTES, tokenMessage } from './messages.ts';
import { openAgents, withHash } from './record.ts';
import { formatToken, hashOf, newSecret } from './token.ts';
import type { Proposing } from './proposing.ts';

/**
 * "Show its token", once, to who added the agent. It is made here and only its hash is written, and the answer is one that is written
 * down nowhere: an answer that waits to be told would be a token in Redis.
 */
export function tokenRoute({ agents, clock, teamId, accountName }: Proposing): Route {
  return {
    id: AGENT_ROUTES.token,
    verb: 'show the token of an agent',
    permission: 'access:grant',
    writes: false,
    isAskable: false,
    summary: 'see the token of an agent, once',
    handle: async (ask) => {
      const now = clock.now();
      const agent = openAgents(await agents.get(), now).find(({ id }) => id === ask.value);
      const team = teamId();
      if (!agent || agent.by !== ask.actor.userId || team === undefined)
        throw new Refusal('changed', say`That agent is gone, or somebody else added it. Nothing was shown.`);
      const secret = newSecret();
      const entry = entryOf({ ...ask, words: [agent.name] }, 'set', now);
      const after = await agents.change((record) => withHash(record, agent.id, hashOf(secret), now), {
        audit: entry,
        survives: true,
      });
      if (!after)
        throw new Refusal(
          'already',
          say`Its token was shown once. If nobody has it, type /lamplighter agent revoke ${agent.name} and add it again.`,
        );
      const token = { teamId: team, account: accountName ?? '', agentId: agent.id, secret };
      return tokenMessage(agent.name, formatToken(token));
    },
  };
}
