import type { EndedBy, Holding } from '../../core/policy/owned.ts';
import { recordOf } from '../../core/records/one-record.ts';
import type { Commit } from '../../core/records/commit.ts';
import { shownBy } from './answer.ts';
import { heldLine, toldEnded } from './messages.ts';
import { type Agent, type Agents, type AgentStore, AGENTS, openAgents, withoutAgents } from './record.ts';
import type { Bot } from '../../core/bot/bot.ts';

/** The agents that may ask: what those hold in whose name they do, and those who added them and were shown their tokens. */
export async function listHeldAgents(
  deps: Pick<Bot, 'redis' | 'faultPoints' | 'clock' | 'outbox'>,
): Promise<readonly Holding[]> {
  const store = recordOf(deps, AGENTS);
  const byHolder = new Map<string, Agent[]>();
  for (const agent of openAgents(await store.get(), deps.clock.now()))
    for (const userId of new Set([agent.actor.userId, agent.by]))
      byHolder.set(userId, [...(byHolder.get(userId) ?? []), agent]);
  return [...byHolder].flatMap(([userId, agents]) =>
    agents.map((agent, index) => ({
      userId,
      line: heldLine(agent, userId),
      ...(agent.by === userId ? { addedAgent: { name: agent.name, on: agent.on, until: agent.until } } : {}),
      // All of theirs stand in one record, which one commit moves once.
      ...(index === 0 ? { end: (how: EndedBy) => ending(store, deps.outbox, agents, userId, how) } : {}),
    })),
  );
}

/** Ends agents of somebody whose access is taken back, with what they proposed, and tells the others in whose name they asked. */
function ending(
  store: AgentStore,
  outbox: Bot['outbox'],
  those: readonly Agent[],
  userId: string,
  { by, at }: EndedBy,
): Promise<Commit<'moved'> | undefined> {
  const ids = those.map(({ id }) => id);
  const said = (after: Agents, before: Agents): Promise<Commit<'moved'>> =>
    outbox.saying(
      [
        ...shownBy(after, before),
        ...those
          .filter(({ actor }) => actor.userId !== userId && actor.userId !== by)
          .map((agent) => ({
            id: `agent-ended-${agent.id}`,
            to: { userId: agent.actor.userId },
            content: toldEnded(agent, by),
          })),
      ],
      'moved',
    );
  return store.moving((record) => withoutAgents(record, ids, by, at), said);
}
