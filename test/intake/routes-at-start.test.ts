import { expect, test } from 'vitest';
import type { Feature } from '../../src/core/intake/route.ts';
import { createRouteTable } from '../../src/core/intake/routes.ts';

const feature = (noun: string, verb: string, standard = `${noun}.${verb}`): Feature => ({
  noun,
  default: standard,
  summary: noun,
  routes: [
    {
      id: `${noun}.${verb}`,
      verb,
      permission: undefined,
      writes: false,
      usage: '',
      summary: verb,
      handle: () => Promise.resolve(undefined),
    },
  ],
});

test.each([
  ['an earlier verb', [feature('b', 'a'), feature('a', 'x')]],
  ['a later verb', [feature('a', 'x'), feature('b', 'a')]],
  ['its own verb', [feature('a', 'a')]],
])('a noun that is also %s is refused at the start', (_what, features) => {
  expect(() => createRouteTable(features)).toThrow('two routes claim the word a');
});

// It would be found out only when somebody types the bare command.
test('a feature whose standard route does not exist is refused at the start', () => {
  expect(() => createRouteTable([feature('a', 'x', 'a.nothing')])).toThrow(/a\.nothing/);
});

test('two routes that serve as help are refused at the start', () => {
  const features = ['a', 'b'].map((noun): Feature => {
    const made = feature(noun, `${noun}-verb`);
    return { ...made, routes: made.routes.map((route) => ({ ...route, serves: 'help' })) };
  });
  expect(() => createRouteTable(features)).toThrow('two routes serve as help');
});
