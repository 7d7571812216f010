import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../../core/agents/tool.ts';
import { type Agent, type AgentStore, openAgents, withHash } from './record.ts';
import type { Route } from '../../core/intake/route.ts';
import { entryOf } from '../../core/audit/entry.ts';
import { Refusal } from '../../core/refusal.ts';
import { say } from '../../platform/slack/phrase.ts';
import { AGENT_ROUTES, tokenMessage } from './messages.ts';
import type { Proposing } from './proposing.ts';

/** What an agent shows: where it belongs, who it is, and that it is. */
export interface AgentToken {
  readonly teamId: string;
  /** The account's name; empty where there is one. */
  readonly account: string;
  readonly agentId: string;
  readonly secret: string;
}

const TOKEN =
  /^lamplighter_(T[A-Z0-9]{2,63})\.([a-z][a-z0-9-]{0,19})?\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/** Reads a token; undefined for anything else. Pure. */
export function parseToken(text: string): AgentToken | undefined {
  const [, teamId, account = '', agentId, secret] = TOKEN.exec(text) ?? [];
  return teamId === undefined || agentId === undefined || secret === undefined
    ? undefined
    : { teamId, account, agentId, secret };
}

function formatToken({ teamId, account, agentId, secret }: AgentToken): string {
  return `lamplighter_${teamId}.${account}.${agentId}.${secret}`;
}

/** 256 random bits. */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of a secret: it has too many bits for anybody to try them. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** In whose name an agent asks, and what it may at most. Pure. */
export function callerOf({ id, name, actor, role, on, channelId, by }: Agent): Omit<Caller, 'askedAt'> {
  return {
    agent: name,
    agentId: id,
    ...(channelId === undefined ? {} : { channelId }),
    ...(by === actor.userId ? {} : { addedBy: by }),
    actor: { ...actor, through: { agent: name, roles: [role], ...(on ? { on } : {}) } },
  };
}

/** Finds the agent that has this secret, and may still ask. Throws what Redis throws. */
export async function findAgent(
  agents: AgentStore,
  { agentId, secret }: Pick<AgentToken, 'agentId' | 'secret'>,
  now: number,
): Promise<Agent | undefined> {
  const agent = openAgents(await agents.get(), now).find(({ id }) => id === agentId);
  if (agent?.hash === undefined) return undefined;
  const [kept, shown] = [Buffer.from(agent.hash), Buffer.from(hashOf(secret))];
  return kept.length === shown.length && timingSafeEqual(kept, shown) ? agent : undefined;
}

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
