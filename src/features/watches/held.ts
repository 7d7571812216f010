import type { Holding } from '../../core/policy/holding.ts';
import { channel, say } from '../../platform/slack/phrase.ts';
import { ended } from './react.ts';
import { lineOf } from './watch.ts';
import type { WatchStore } from './watch-store.ts';

/** The watches that people have set. */
export async function listHeldWatches(
  watches: Pick<WatchStore, 'listAll' | 'moving'>,
): Promise<readonly Holding[]> {
  const all = (await watches.listAll()).filter((one) => !one.ended);
  return all.map((watch) => ({
    userId: watch.setBy.userId,
    line: say`watch in ${channel(watch.channelId)}: ${lineOf(watch)}.`,
    end: ({ by, at }) => watches.moving(watch.id, (one) => ended(one, 'unwatched', at, by)),
  }));
}
