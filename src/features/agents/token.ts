import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../../core/agents/tool.ts';
import { type Agent, type AgentStore, openAgents } from './record.ts';

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

export function formatToken({ teamId, account, agentId, secret }: AgentToken): string {
  return `lamplighter_${teamId}.${account}.${agentId}.${secret}`;
}

/** 256 random bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of a secret: it has too many bits for anybody to try them. */
export function hashOf(secret: string): string {
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
