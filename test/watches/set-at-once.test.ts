import { expect, it } from 'vitest';
import type { WatchStore } from '../../src/features/watches/watch-store.ts';
import type { Watch } from '../../src/features/watches/watch.ts';
import { instead } from '../support/instead.ts';
import { answerTo, play, privateTexts, readAll } from '../support/sandbox.ts';

it('two people who watch the same at the same moment set one watch, and the second hears of it', async () => {
  const sandbox = await play({ bot: false, env: { LAMPLIGHTER_EVERYONE: 'admin' } });
  let reading = 0;
  let bothHaveRead = (): void => undefined;
  const both = new Promise<void>((done) => (bothHaveRead = done));
  await sandbox.startBot(
    {},
    instead('watches', 'listAll', async (own) => {
      const all = await (own as WatchStore).listAll();
      if (++reading === 2) bothHaveRead();
      if (reading <= 2) await both;
      return all;
    }),
  );
  const line = '/instances watch name:web-*';
  await Promise.all(['ana', 'bob'].map((who) => sandbox.slack.person(who).types('#ops', line)));
  const heard = (): string[] => ['ana', 'bob'].flatMap((who) => privateTexts(sandbox, who));
  const cards = (): string[] => readAll(sandbox).filter((text) => text.includes('Watching name:web-*'));
  await sandbox.slack.until(() => heard().length === 2 && cards().length > 0);
  await sandbox.settled();
  expect(cards()).toHaveLength(1);
  expect(heard().filter((text) => text.includes('is watched here already'))).toHaveLength(1);
});

it.each([
  [10, 'C0OPS000001', 'There are 10 watches in this channel, which is the most.'],
  [100, 'C0OTHER0001', 'There are 100 watches, which is the most.'],
])('no more are set where there are %i already', async (count, channelId, words) => {
  const sandbox = await play({ bot: false });
  const others = Array.from({ length: count }, (_, index): Watch => {
    const id = `watch-${index}`;
    const at = { setAt: 0, nextPollAt: Number.MAX_SAFE_INTEGER };
    const what = { filters: [`name:other-${index}-*`], instances: [], cards: [], count: 0 };
    return { id, channelId, setBy: { userId: 'U0BOB000001' }, ...at, ...what };
  });
  await sandbox.startBot(
    {},
    instead('watches', 'listAll', async () => others),
  );
  expect(await answerTo(sandbox, 'admin', '/instances watch name:web-*')).toContain(words);
  await sandbox.settled();
  expect(readAll(sandbox)).toEqual([]);
});
