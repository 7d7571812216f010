import { expect, it } from 'vitest';
import { answerTo, play, readAll } from '../support/sandbox.ts';
import { setWatch } from './watching.ts';

it('a watch that is refused in words leaves its channel closed to all but an admin, and one that is set opens it', async () => {
  const sandbox = await play();
  for (const [typed, why] of [
    ['', 'What do you want to watch?'],
    ['status:running', 'a watch tells you when that changes'],
    ['nosuch', 'No instance has exactly the name or id'],
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
  const list = await answerTo(sandbox, 'ana', '/instances watches');
  expect(list).toContain('2 watches:');
  expect(list).toContain('name:db-* · set by @ana');
});
