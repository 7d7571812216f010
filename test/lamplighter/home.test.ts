import { expect, test } from 'vitest';
import { play } from '../support/sandbox.ts';

test('a press in the Home draws it again once that is done, and one elsewhere does not', async () => {
  const sandbox = await play();
  const { slack } = sandbox;
  const ana = slack.person('ana');
  const drawn = (): number => slack.calls.filter(({ method }) => method === 'views.publish').length;
  await ana.opensHome();
  await slack.until(() => drawn() === 1);
  await ana.presses(ana.home!, 'Instances');
  const answer = await slack.until(() => ana.dms.at(-1));
  await slack.until(() => drawn() === 2);
  await ana.presses(answer, 'Paused 1');
  await sandbox.settled();
  expect(drawn()).toBe(2);
});
