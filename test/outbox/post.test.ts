import { expect, it } from 'vitest';
import { posted, retried, startPosting } from '../../src/core/outbox/outbox-message.ts';
import { edited, newPost, nextOf, type NewContent, type Post } from '../../src/core/outbox/post.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { SlackError } from '../../src/platform/slack/errors.ts';
import { say } from '../../src/platform/slack/phrase.ts';

const HOUR_MS = 3_600_000;
const contentOf = (words: string): Post['content'] => ({ lines: [say`${words}`] });
const saying = (words: string): NewContent => ({ id: 'p', content: contentOf(words) });
const NEW = newPost({ id: 'p', to: { channelId: 'C1' }, content: contentOf('down') }, 0);

/** The message as it stands in its channel since the beginning. */
function standing(): Post {
  const posting = startPosting(NEW.message, '0', 0);
  const message = posting && posted(posting, 0, { channelId: 'C1', ts: '1.1' }, 0);
  if (!message) throw new Error('not posted');
  return { ...NEW, message };
}

it('what a card of yesterday shows from now on is tried again where Slack does not take it at once', () => {
  const now = 30 * HOUR_MS;
  const post = edited(standing(), saying('running again'), now);
  if (!post) throw new Error('not edited');
  const fault = new SlackError('service_unavailable', { outcome: 'unknown' });
  const { state } = retried(post.message, fault, { now, since: post.at, timings: TIMINGS });
  expect(state).toBe('sent');
});

it('a card whose edit was given up shows what is said later all the same', () => {
  const post = standing();
  const deadLetters: Post = {
    ...post,
    message: { ...post.message, state: 'dead-lettered', fault: 'fatal_error' },
  };
  const later = edited(deadLetters, saying('running again'), HOUR_MS);
  expect(later && nextOf(later, TIMINGS)).toEqual({ step: 'edit', dueAt: HOUR_MS });
});

it('a card that shows the same is not edited', () => {
  expect(edited(standing(), saying('down'), 1)).toBeUndefined();
  expect(edited(standing(), saying('up'), 1)?.edits).toBe(1);
});
