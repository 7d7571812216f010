import { expect, it } from 'vitest';
import { answerTo, play, readAll } from '../support/sandbox.ts';
import { setWatch } from './watching.ts';

it('a refused watch leaves its channel closed to everybody else', async () => {
  const sandbox = await play();
  for (const [typed, why] of [
    ['nosuch', 'nosuch'],
    ['web-1 nosuch', 'nosuch'],
    ['region:nowhere', 'nowhere'],
    ['@nothing', 'nothing'],
  ] as const) {
    expect(await answerTo(sandbox, 'admin', `/instances watch ${typed}`), typed).toContain(why);
    expect(await answerTo(sandbox, 'ana', '/instances watch name:web-*'), typed).toContain('admin');
  }
  expect(readAll(sandbox)).toEqual([]);
  await setWatch(sandbox, 'name:web-*');
  await setWatch(sandbox, 'name:db-*', 'ana');
});
