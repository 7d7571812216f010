import { expect, it } from 'vitest';
import { forAWhile } from '../../src/features/instances/for-a-while.ts';
import { anAsk } from '../support/an-ask.ts';
import type { InstanceVerbs } from '../../src/features/instances/instances.ts';

const MINUTE_MS = 60_000;
const NOW = Date.UTC(2026, 10, 18, 18, 5);

it('an end is the one that was meant when it was typed, also where the request waited in line until after it', async () => {
  const deps = {
    people: { zone: async () => 'UTC' },
    calendar: { now: () => NOW + 7 },
    clock: { now: () => NOW },
  } as unknown as InstanceVerbs; // what the reading asks
  const ask = anAsk({ route: 'instances.start', askedAt: NOW - 10 * MINUTE_MS });
  const given = { ask, words: ['web-1'], options: {}, end: ['until', '18:00'], buttonToken: undefined };
  const { args } = await forAWhile('start', deps).read(given);
  expect(args).toMatchObject({ end: { until: Date.UTC(2026, 10, 18, 18, 0) } });
});
