import { expect, it } from 'vitest';
import { createReadReference } from '../../src/core/intake/read-reference.ts';
import type { Route } from '../../src/core/intake/route.ts';
import { anAsk } from '../support/an-ask.ts';

it.each([
  ['2rFsoy-o', true],
  ['Request BguXSwYH', true],
  ['show `2rFsoy-o`', true],
  ['aBcDeFgHiJkLmNoPqRsTuV', true],
  ['database', false],
  ['show webserver', false],
  ['webserver-1', false],
  ['2rFsoy-o please', false],
])('"%s" is looked up in the audit as a reference: %s', async (line, isLookedUp) => {
  let looks = 0;
  const story = { id: 'story', idle: async () => void (looks += 1) } as unknown as Route; // the part that is asked
  const readReference = createReadReference(
    { routes: { byService: new Map([['story', story]]) } },
    async () => undefined,
  );
  await readReference(anAsk({ route: 'instances.show', line }), 'unknown-verb');
  expect(looks).toBe(isLookedUp ? 1 : 0);
});
