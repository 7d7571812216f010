import { ownerOf } from '../operations/operation.ts';
import { movingEach, type OwnedSource } from '../policy/owned.ts';
import { isDirect } from '../../platform/slack/ids.ts';
import { say } from '../../platform/slack/phrase.ts';
import { passedOn } from './batch.ts';
import type { Batches } from './batches.ts';
import { countOf } from './card.ts';
import type { SeveralWords } from './words.ts';

/** The batches under way that are somebody's: they hear of the end. */
export function ownedBatches({
  batches,
  wordsOf,
}: {
  readonly batches: Pick<Batches, 'listOpen' | 'moving'>;
  readonly wordsOf: (kind: string) => SeveralWords | undefined;
}): OwnedSource {
  return {
    name: 'batch',
    list: async (userId) => {
      const open = await batches.listOpen();
      return open
        .filter((one) => one.endedAt === undefined && ownerOf(one) === userId)
        .map((one) => ({
          id: one.id,
          line: say`${wordsOf(one.kind)?.doing ?? 'Changing'} ${countOf(one)}.`,
          needs: {
            permission: 'instances:read',
            of: one.items.map(({ subject }) => subject),
            in: one.place.channelId,
          },
          ...(isDirect(one.place.channelId)
            ? { stays: say`Its card is in direct messages, where nobody else reads how it ends.` }
            : {}),
        }));
    },
    moving: (ids, { from, to }) =>
      movingEach(ids, (id) => batches.moving(id, (one) => passedOn(one, from, to))),
  };
}
