import type { DeadLetterHandlers } from '../../core/outbox/send-posts.ts';
import { idOf } from '../../platform/id.ts';
import { isRefusedThere } from '../../platform/slack/errors.ts';
import { channel, say } from '../../platform/slack/phrase.ts';
import { ended } from './react.ts';
import { isUnanswered } from './judge.ts';
import { unreached } from './messages.ts';
import { INCIDENT, NEWS, UNREACHED } from './said.ts';
import type { Watching } from './watch-store.ts';

/**
 * What is done where a card reached nobody: who set the watch hears of an incident alone, whatever Slack's reason is, and the
 * watch ends where that is about its channel.
 */
export function deadLetterHandlers({ watches, outbox, clock }: Watching): DeadLetterHandlers {
  const endWithout: DeadLetterHandlers[string] = async (id, { message: { fault } }) => {
    if (fault === undefined || !isRefusedThere(fault)) return;
    await watches.change(id, (watch) => {
      const over = ended(watch, 'no channel', clock.now());
      return over && { ...over, cards: [] };
    });
  };
  return {
    [NEWS]: endWithout,
    [UNREACHED]: async (id, { id: postId, to, message }) => {
      const [watchId = '', cardId = ''] = id.split('/');
      const watch = await watches.find(watchId);
      const card = watch?.cards.find((one) => one.id === cardId);
      const isStillFor = card !== undefined && isUnanswered(card) && message.ts === undefined;
      if (!watch || !isStillFor || !('userId' in to)) return;
      await outbox.post({
        id: idOf(`${postId} unreached`),
        to: { channelId: watch.channelId, underPost: cardId },
        content: unreached(to.userId),
        isForPlaceAlone: true,
      });
    },
    [INCIDENT]: async (id, post) => {
      const watch = await watches.find(id);
      if (!watch) return;
      const { buttons: _, menu: __, ...said } = post.content;
      const why = say`I couldn't post this in ${channel(watch.channelId)}:`;
      await outbox.post({
        id: idOf(`${post.id} for its setter`),
        to: { userId: watch.setBy.userId },
        content: { ...said, lines: [why, ...said.lines] },
      });
      await endWithout(id, post);
    },
  };
}
