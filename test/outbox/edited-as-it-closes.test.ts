import { expect, it } from 'vitest';
import type { FaultPoints } from '../../src/core/base.ts';
import type { PostStore } from '../../src/core/outbox/outbox.ts';
import type { Post } from '../../src/core/outbox/post.ts';
import { findCard, looks, reads } from '../watches/watching.ts';
import { play } from '../support/sandbox.ts';

/** Is called once, between the moment in which the bot sees that nothing is left of a card and the next. */
type Between = (card: Post) => Promise<void>;

/** A bot that is slow exactly where it has seen that a message with these words is finished. */
function slowToClose(words: string, between: Between): FaultPoints {
  let isDone = false;
  return (name, part) => {
    if (name !== 'posts') return part;
    const posts = part as unknown as PostStore;
    const find: PostStore['find'] = async (id) => {
      const post = await posts.find(id);
      const isThrough = post?.message.state === 'sent' && post.message.shown === String(post.edits);
      if (isDone || !isThrough || !JSON.stringify(post.content).includes(words)) return post;
      isDone = true;
      await between(post);
      return post;
    };
    return { ...part, find };
  };
}

it('what somebody says in the moment in which a card counts as through still shows on it', async () => {
  const sandbox = await play({ bot: false });
  const press = async (): Promise<void> => {
    const card = await findCard(sandbox, 'web-1 (101) reports an error');
    await sandbox.slack.person('ana').presses(card, "I'm on it");
    await looks(sandbox);
  };
  await sandbox.startBot({}, slowToClose('reports an error', press));
  await sandbox.slack.person('admin').types('#ops', '/instances watch name:web-*');
  await reads(sandbox, 'Watching name:web-*');
  await looks(sandbox);
  sandbox.hosting.changeStatus(101, 'error');
  await looks(sandbox);
  expect(await reads(sandbox, '@ana is on it')).toContain('web-1 (101) reports an error');
});
