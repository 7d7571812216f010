import { createOneRecord } from '../../src/core/records/one-record.ts';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import type { Outbox } from '../../src/core/outbox/outbox.ts';
import { ACCESS } from '../../src/core/policy/access-record.ts';
import { createTellSettings } from '../../src/core/watchdogs/tell-settings.ts';
import { takeDatabase } from '../support/shared-redis.ts';
import { fixedClock } from '../support/fixed-clock.ts';

const FAULT = { faults: ['policy.yaml, line 4'], restart: [] };
const FINE = { faults: [], restart: [] };
const MINUTE_MS = 60_000;

/** Two processes that look at the same file, one of them late: the moment between them is too short to be played. */
it('what a late process sees of a fault that was told and mended is not told again, and the same fault later is', async () => {
  const { url, release } = await takeDatabase();
  const redis = new Redis(url);
  onTestFinished(() => {
    redis.disconnect();
    release();
  });
  let now = 1_000;
  const told: string[] = [];
  const outbox = {
    saying: async (posts: readonly { readonly content: unknown }[]) => {
      told.push(
        ...posts.map(({ content }) => (JSON.stringify(content).includes('line 4') ? 'fault' : 'fine')),
      );
      return {};
    },
  } as unknown as Outbox; // it is asked for nothing else
  const tell = createTellSettings({
    access: {
      policy: async () => ({
        admins: ['U0ADA000001'],
        everyone: 'none',
        channels: {},
        grants: [],
        freezes: [],
      }),
    },
    accessStore: createOneRecord(redis, ACCESS),
    outbox,
    clock: fixedClock(() => now),
  });
  for (const state of [FAULT, FINE, FAULT, FINE]) await tell(state, []);
  expect(told).toEqual(['fault', 'fine']);
  now += MINUTE_MS;
  for (const state of [FAULT, FINE]) await tell(state, []);
  expect(told).toEqual(['fault', 'fine', 'fault', 'fine']);
});
