import { expect, it } from 'vitest';
import { checkCount } from '../../src/core/changes/several.ts';
import { countToType } from '../../src/core/changes/several-messages.ts';
import { toText } from '../../src/platform/slack/phrase.ts';

const ACTOR = { userId: 'U1' };
const chosen = (count: number): never[] => Array.from({ length: count }, () => ({}) as never); // only counted

/** What a person reads who has typed that in place of how many are to be changed. */
async function wrongIn(typed: string, count: number): Promise<string | undefined> {
  const offers = { find: async () => ({ what: { chosen: chosen(count), actor: ACTOR, routeId: 'r' } }) };
  const ask = { id: 'a', route: 'r', actor: ACTOR, askedAt: 1, value: 'p', typed };
  const wrong = await checkCount({ offers } as never, ask as never); // nothing else is used
  return wrong && toText(wrong);
}

it.each([
  [9, undefined],
  [10, '10'],
  [50, '50'],
])('before %i instances are changed, the count that is typed is %s', (count, typed) => {
  expect(countToType({ chosen: chosen(count) })).toBe(typed);
});

it.each(['11', '1', '', 'twelve', '120'])('"%s" is no yes to 12 instances', async (typed) => {
  expect(await wrongIn(typed, 12)).toMatch(/^Type 12, the number of instances, to continue\./);
});

it('the very count is a yes to them, and a few need none', async () => {
  expect([await wrongIn('12', 12), await wrongIn('', 9)]).toEqual([undefined, undefined]);
});
