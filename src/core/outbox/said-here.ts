import type { Ask } from '../ask/ask.ts';
import { isDirect } from '../../platform/slack/ids.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { NewPost } from './post.ts';

/**
 * What somebody has set for everybody, as a post in the channel in which they did, or nowhere; none for direct messages. Asked
 * again, it is the same post. Pure.
 */
export function saidHere(
  { id, place: { channelId } }: Pick<Ask, 'id' | 'place'>,
  content: Message,
): readonly NewPost[] {
  return isDirect(channelId) ? [] : [{ id: `fact-${id}`, to: { channelId }, content, isForPlaceAlone: true }];
}
