import { z } from 'zod';
import { SLACKBOT } from '../../core/agents/tool.ts';
import { fingerprintSchema } from '../../core/instances/facts.ts';
import type { OneKind, OneRecord } from '../../core/records/one-record.ts';
import { actorSchema } from '../../platform/slack/ids.ts';
import { phraseSchema } from '../../platform/slack/phrase.ts';
import { ROLES } from '../../core/policy/permissions.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/time/duration.ts';
import { key } from '../../platform/redis/key.ts';

/** Agents that ask with a token, what they and others proposed, and what people made of it. All times are Redis' clock, Unix ms. */

/** What became of a proposal. */
const answerSchema = z.object({
  how: z.enum(['begun', 'declined', 'stopped', 'revoked']),
  /** Undefined where its agent was stopped or revoked while somebody else's press was under way. */
  by: z.string().optional(),
  at: z.number(),
  /** The request of the press that began it. */
  requestId: z.string().optional(),
});

const proposalSchema = z.object({
  /** That of its message as well. */
  id: z.string(),
  /** The agent, by its name. */
  agent: z.string(),
  /** The same by its id; undefined of Slackbot. */
  agentId: z.string().optional(),
  /** In whose name it was asked. */
  actor: actorSchema,
  /** The route that a press asks for. */
  routeId: z.string(),
  /** What is to be changed, as its person was to see it. */
  instance: fingerprintSchema,
  /** "restart web-1 (101)". */
  what: phraseSchema,
  because: z.string(),
  /** Where it was proposed; in the direct messages of its person without it. */
  channelId: z.string().optional(),
  /** When it was asked for. */
  at: z.number(),
  answer: answerSchema.optional(),
  /** When it was known that nobody can read it: Slack takes no message where it was to stand. */
  unreadAt: z.number().optional(),
});
export type Proposal = z.infer<typeof proposalSchema>;
/** The agent of a proposal, in one person's name. */
type ProposedBy = Pick<Proposal, 'agent' | 'agentId' | 'actor'>;
/** What is to be proposed, as far as others are told from it. */
export interface ProposalRequest extends Pick<
  Proposal,
  'id' | 'agent' | 'agentId' | 'actor' | 'routeId' | 'at'
> {
  readonly instance: Pick<Proposal['instance'], 'id'>;
}

const agentSchema = z.object({
  id: z.string(),
  /** One word, which names it to people. */
  name: z.string(),
  /** In whose name it asks. */
  actor: actorSchema,
  /** What it may at most. */
  role: z.enum(ROLES),
  on: z.array(z.string()).optional(),
  /** Where it proposes; in the direct messages of its person without it. */
  channelId: z.string().optional(),
  until: z.number(),
  by: z.string(),
  at: z.number(),
  /** The hash of its secret; undefined until that was shown. */
  hash: z.string().optional(),
});
export type Agent = z.infer<typeof agentSchema>;

const agentsSchema = z.object({
  agents: z.array(agentSchema),
  /** The oldest first. */
  proposals: z.array(proposalSchema),
  /** Agents that somebody has stopped: they propose nothing in that person's name until then. */
  stopped: z.array(z.object({ agent: z.string(), userId: z.string(), until: z.number() })),
});
export type Agents = z.infer<typeof agentsSchema>;
export type AgentStore = OneRecord<Agents>;

/** It can be pressed for so long: what was proposed yesterday is seldom right today. */
export const OPEN_MS = 4 * 3_600_000;
/** One agent has so many open at once in one person's name. */
export const MOST_OPEN = 5;
const STOPPED_MS = DAY_MS;
/** What nobody could read is tried again after so long: somebody may have invited the bot. */
const UNREAD_MS = 10 * MINUTE_MS;
/** A model words the same anew as soon as it is declined: nobody is asked again for so long, whatever the reason says. */
const DECLINED_MS = HOUR_MS;
const KEPT_MS = 7 * DAY_MS;
const MOST_KEPT = 200;
const MOST_AGENTS = 50;

/** Agents with the hashes of their tokens, and what was proposed. */
export const AGENTS: OneKind<Agents> = {
  key: key('agents'),
  schema: agentsSchema,
  none: { agents: [], proposals: [], stopped: [] },
};

/** Those that may still ask. Pure. */
export function openAgents({ agents }: Agents, now: number): readonly Agent[] {
  return agents.filter(({ until }) => until > now);
}

/** The record with one more agent; undefined where there is one of that name, or there are too many. Pure. */
export function withAgent(record: Agents, agent: Agent): Agents | undefined {
  const open = openAgents(record, agent.at);
  if (open.some(({ id }) => id === agent.id)) return record;
  const isTaken = open.some(({ name }) => name === agent.name);
  return isTaken || open.length >= MOST_AGENTS ? undefined : { ...record, agents: [...open, agent] };
}

/** The record without these agents, of which nothing is open any more; undefined where there is none of them. Pure. */
export function withoutAgents(
  record: Agents,
  ids: readonly string[],
  by: string,
  now: number,
): Agents | undefined {
  const ending = openAgents(record, now).filter(({ id }) => ids.includes(id));
  if (ending.length === 0) return undefined;
  const names = new Set(ending.map(({ name }) => name));
  return {
    ...withEach(record, (one) =>
      names.has(one.agent) && isOpen(one, now) ? { ...one, answer: { how: 'revoked', by, at: now } } : one,
    ),
    agents: record.agents.filter((one) => !ending.includes(one)),
  };
}

/** The record in which an agent has its secret; undefined where it has one, or is gone. Pure. */
export function withHash(record: Agents, id: string, hash: string, now: number): Agents | undefined {
  const agent = openAgents(record, now).find((one) => one.id === id && one.hash === undefined);
  if (!agent) return undefined;
  return { ...record, agents: record.agents.map((one) => (one === agent ? { ...one, hash } : one)) };
}

/** Whether the agent of a proposal may still ask: it was neither revoked nor has its time run out. Pure. */
export function mayStillAsk(
  record: Agents,
  { agent, agentId }: Pick<Proposal, 'agent' | 'agentId'>,
  now: number,
): boolean {
  if (agent === SLACKBOT) return true;
  // What was proposed before agents were told apart by their ids has only a name.
  return openAgents(record, now).some(({ id, name }) =>
    agentId === undefined ? name === agent : id === agentId,
  );
}

/** Whether people can still press it. Pure. */
export function isOpen({ answer, unreadAt, at }: Proposal, now: number): boolean {
  return answer === undefined && unreadAt === undefined && now - at < OPEN_MS;
}

/** Whether it is in the way of others: open, or not to be tried again yet. */
function isInTheWay(proposal: Proposal, now: number): boolean {
  const { unreadAt } = proposal;
  return isOpen(proposal, now) || (unreadAt !== undefined && now - unreadAt < UNREAD_MS);
}

/** Whether an agent made a proposal, in the name of the same person. Pure. */
export function isOf({ agent, agentId, actor }: ProposedBy, other: ProposedBy): boolean {
  return agent === other.agent && agentId === other.agentId && actor.userId === other.actor.userId;
}

/** Until when an agent is stopped in one person's name; undefined where it isn't. Pure. */
export function stoppedUntil(
  { stopped }: Agents,
  { agent, actor }: Pick<Proposal, 'agent' | 'actor'>,
  now: number,
): number | undefined {
  return stopped.find((one) => one.agent === agent && one.userId === actor.userId && one.until > now)?.until;
}

function isSameChange(one: Proposal, other: ProposalRequest): boolean {
  return isOf(one, other) && one.routeId === other.routeId && one.instance.id === other.instance.id;
}

/**
 * The same that is open or can't be read just now, or was asked for later than this and written down first, or by this very request; undefined for none.
 * Pure.
 */
export function findSame({ proposals }: Agents, wanted: ProposalRequest): Proposal | undefined {
  return proposals.find(
    (one) =>
      one.id === wanted.id ||
      ((isInTheWay(one, wanted.at) || one.at >= wanted.at) && isSameChange(one, wanted)),
  );
}

/** Until when nobody is asked for this again, since somebody has declined it; undefined where they are. Pure. */
export function declinedUntil({ proposals }: Agents, wanted: ProposalRequest): number | undefined {
  const answer = proposals.findLast((one) => isSameChange(one, wanted))?.answer;
  const until = answer?.how === 'declined' ? answer.at + DECLINED_MS : undefined;
  return until !== undefined && until > wanted.at ? until : undefined;
}

/** Whether an agent has so many open in one person's name that it proposes no more. What nobody can read is not among them. Pure. */
export function hasManyOpen({ proposals }: Agents, by: ProposedBy, now: number): boolean {
  return proposals.filter((one) => isOf(one, by) && isOpen(one, now)).length >= MOST_OPEN;
}

/** The record with one more proposal; undefined where its agent may not propose it, has too many open, or the same one. Pure. */
export function withProposal(record: Agents, proposal: Proposal): Agents | undefined {
  const { at } = proposal;
  if (!mayStillAsk(record, proposal, at)) return undefined;
  if (findSame(record, proposal) || stoppedUntil(record, proposal, at) !== undefined) return undefined;
  if (declinedUntil(record, proposal) !== undefined) return undefined;
  const open = record.proposals.filter((one) => isInTheWay(one, at));
  if (hasManyOpen(record, proposal, at)) return undefined;
  if (open.length >= MOST_KEPT) return undefined;
  // What people can still press goes last.
  const over = record.proposals.filter((one) => !open.includes(one) && at - one.at < KEPT_MS);
  const room = MOST_KEPT - 1 - open.length;
  const kept = new Set([...open, ...over.slice(Math.max(0, over.length - room))]);
  return { ...record, proposals: [...record.proposals.filter((one) => kept.has(one)), proposal] };
}

/** The record with an answer; undefined where it was answered otherwise, or is over. Pure. */
export function answered(
  record: Agents,
  id: string,
  answer: NonNullable<Proposal['answer']>,
): Agents | undefined {
  const proposal = record.proposals.find((one) => one.id === id);
  if (!proposal) return undefined;
  // The same press, carried out once more.
  if (proposal.answer && proposal.answer.requestId === answer.requestId && answer.requestId !== undefined)
    return record;
  if (!isOpen(proposal, answer.at)) return undefined;
  // Whoever pressed may not know yet that it is revoked.
  if (answer.how === 'begun' && !mayStillAsk(record, proposal, answer.at)) return undefined;
  return withEach(record, (one) => (one.id === id ? { ...one, answer } : one));
}

/** The record with the answer of a press that has begun the change, where it stands open again; undefined elsewhere. Pure. */
export function answeredAgain(
  record: Agents,
  id: string,
  answer: NonNullable<Proposal['answer']>,
): Agents | undefined {
  const open = record.proposals.find((one) => one.id === id && one.answer === undefined);
  return open && withEach(record, (one) => (one === open ? { ...one, answer } : one));
}

/**
 * The record in which a press came to nothing, so that the next may, unless the agent was stopped or revoked meanwhile; undefined where
 * it isn't that press' any more. Pure.
 */
export function reopened(record: Agents, id: string, requestId: string, now: number): Agents | undefined {
  const mine = record.proposals.find((one) => one.id === id && one.answer?.requestId === requestId);
  if (!mine) return undefined;
  return withEach(record, (one) => {
    if (one !== mine) return one;
    const { answer: _, ...open } = one;
    if (!mayStillAsk(record, one, now)) return { ...open, answer: { how: 'revoked', at: now } };
    return stoppedUntil(record, one, now) === undefined
      ? open
      : { ...open, answer: { how: 'stopped', at: now } };
  });
}

/** The record in which nobody can read a proposal; undefined where it was answered, or is over. Pure. */
export function unread(record: Agents, id: string, now: number): Agents | undefined {
  const mine = record.proposals.find((one) => one.id === id);
  if (!mine || !isOpen(mine, now)) return undefined;
  return withEach(record, (one) => (one === mine ? { ...one, unreadAt: now } : one));
}

/** The record in which an agent has nothing open in one person's name, and proposes nothing for a while. Pure. */
export function withStopped(record: Agents, agent: ProposedBy, by: string, now: number): Agents {
  const { userId } = agent.actor;
  const others = record.stopped.filter(
    (one) => one.until > now && !(one.agent === agent.agent && one.userId === userId),
  );
  return {
    ...withEach(record, (one) =>
      isOf(one, agent) && isOpen(one, now) ? { ...one, answer: { how: 'stopped', by, at: now } } : one,
    ),
    stopped: [...others, { agent: agent.agent, userId, until: now + STOPPED_MS }],
  };
}

function withEach(record: Agents, step: (proposal: Proposal) => Proposal): Agents {
  return { ...record, proposals: record.proposals.map(step) };
}
