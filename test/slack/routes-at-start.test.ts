import { expect, test } from 'vitest';
import type { Feature } from '../../src/core/routing/feature.ts';
import { createRouteTable } from '../../src/core/routing/routes.ts';

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

// a noun is held against earlier nouns only; the other way round (line 35) is refused.
test('a noun that is an earlier feature\u2019s verb is refused at the start, as the other way round', () => {
  expect(() => createRouteTable([feature('b', 'a'), feature('a', 'x')])).toThrow(/a$/);
});

// found out only when somebody types the bare command.
test('a feature whose standard route does not exist is refused at the start', () => {
  expect(() => createRouteTable([feature('a', 'x', 'a.nothing')])).toThrow(/a\.nothing/);
});
