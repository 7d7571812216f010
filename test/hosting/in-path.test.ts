import { expect, test } from 'vitest';
import { createCredentials } from '../../src/platform/hosting/credentials.ts';
import { pagedByToken } from '../../src/platform/hosting/paging.ts';
import { Unreadable } from '../../src/platform/hosting/unreadable.ts';

/** What calls show with a key of which the part behind the colon stands in their paths. */
const shownWith = (apiKey: string) =>
  createCredentials({
    auth: {
      headers: () => ({}),
      inPath: (key) => {
        const [, project] = key.split(':');
        if (project === undefined) throw new Unreadable('the key must be SECRET:PROJECT');
        return { project };
      },
    },
    key: apiKey,
  }).take('reading instances');

test('a part of the key stands in each path that names it, and no other name is touched', async () => {
  const { pathOf } = await shownWith('secret:p-1');
  expect(pathOf('/projects/{project}/servers/{id}')).toBe('/projects/p-1/servers/{id}');
});

test('also in the path of a next page, which has been a URL', async () => {
  const { pathOf } = await shownWith('secret:p-1');
  const page = { origin: 'https://api.example.com', here: { path: '/projects/{project}/servers?size=2' } };
  const answer = { status: 200, headers: {}, body: {} };
  const { next } = pagedByToken({ ...page, answer, count: 2 }, 'cursor', 'two', 3);
  expect(typeof next === 'object' && pathOf(next.path)).toBe('/projects/p-1/servers?size=2&cursor=two');
});

test.each([
  ['secret', 'the key must be SECRET:PROJECT'],
  ['secret:', "the project in the key can't stand in a path"],
  ['secret:../me', "the project in the key can't stand in a path"],
  ['secret:a?b', "the project in the key can't stand in a path"],
])('the key %s is refused before anything is asked', async (key, said) => {
  await expect(shownWith(key)).rejects.toMatchObject({ fault: 'unauthorized', outcome: 'not-done', said });
});
