import { expect, test } from 'vitest';
import * as moves from './said.ts';
import { SlackError } from '../../src/platform/slack/errors.ts';
import { NOW, operation, timings } from './operation.ts';

// a card that can't be looked up (no history scope) goes back to `waiting` without
// counting the try. While Slack loses the answers to posts, each round puts another card into the channel, for ever.
test('a card whose answers are lost and that cannot be looked up goes out so often and no more', () => {
  const noScope = new SlackError('missing_scope', { outcome: 'not-done', dead: true });
  let one = operation({});
  let now = NOW;
  let posts = 0;
  for (let round = 0; round < 200; round++) {
    const step = moves.nextMessage(one, 'content', now, timings);
    if (step?.do === 'post') {
      posts += 1;
      one = moves.startPosting(one, 'card', 'content', now) ?? one;
    } else if (step?.do === 'find')
      one = moves.notFound(one, 'card', one.card.postingAt, noScope, now) ?? one;
    else now += 10_000;
  }
  expect(posts).toBeLessThanOrEqual(20);
});
