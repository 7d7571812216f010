import { expect, it } from 'vitest';
import type { WatchStore } from '../../src/features/watches/watch-store.ts';
import { instead } from '../support/instead.ts';
import { play, privateTexts, readAll } from '../support/sandbox.ts';

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
