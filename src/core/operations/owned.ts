import { movingEach, type OwnedSource } from '../policy/owned.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { isDirect } from '../../platform/slack/ids.ts';
import { say } from '../../platform/slack/phrase.ts';
import { underWay } from './messages.ts';
import { type Operation, ownerOf, passedOn } from './operation.ts';
import type { Operations } from './operations.ts';

/** The operations under way that are somebody's: they hear of the end. Those of a batch are with that. */
export function ownedOperations({
  operations,
  clock,
}: {
  readonly operations: Pick<Operations, 'listOpen' | 'knows' | 'kindOf' | 'moving'>;
  readonly clock: Pick<RedisClock, 'now'>;
}): OwnedSource {
  const isTheirs = (one: Operation, userId: string): boolean =>
    one.outcome === undefined &&
    one.batchId === undefined &&
    operations.knows(one) &&
    ownerOf(one) === userId;
  return {
    name: 'operation',
    list: async (userId) => {
      const open = await operations.listOpen();
      return open
        .filter((one) => isTheirs(one, userId))
        .map((one) => ({
          id: one.id,
          line: say`${underWay({ operation: one, kind: operations.kindOf(one) }, clock.now())}.`,
          needs: { permission: 'instances:read', of: [one.subject], in: one.place.channelId },
          ...(isDirect(one.place.channelId) || one.card.fallback !== undefined
            ? { stays: say`Its card is in direct messages, where nobody else reads how it ends.` }
            : {}),
        }));
    },
    moving: (ids, { from, to }) =>
      movingEach(ids, (id) => operations.moving(id, (one) => passedOn(one, from, to))),
  };
}
