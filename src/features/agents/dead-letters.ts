import type { Outbox } from '../../core/outbox/outbox.ts';
import type { DeadLetterHandlers } from '../../core/outbox/send-posts.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { toldUnread, UNREAD_PROPOSAL } from './messages.ts';
import { type AgentStore, unread } from './record.ts';

/** Where a proposal reached nobody, its agent hears so, and its person once for that channel: nobody waits for it. */
export function agentDeadLetters({
  agents,
  outbox,
  clock,
}: {
  readonly agents: AgentStore;
  readonly outbox: Pick<Outbox, 'saying'>;
  readonly clock: Pick<RedisClock, 'now'>;
}): DeadLetterHandlers {
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
