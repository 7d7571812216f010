import { expect, it } from 'vitest';
import type { AccessRecord } from '../../src/core/policy/access-record.ts';
import { createWeeklyRehearsal } from '../../src/features/doctor/index.ts';
import type { Rehearsal, Rehearsing } from '../../src/features/doctor/rehearsal.ts';
import { HOUR_MS } from '../../src/platform/time/duration.ts';

it('the rehearsal of a week is made by one of two processes, and again in an hour where it was cut off', async () => {
  let now = 1_000 * HOUR_MS;
  let isCutOff = true;
  let looks = 0;
  let record: AccessRecord = { grants: [], freezes: [] };
  const accessStore = {
    get: async () => record,
    change: async (step: (before: AccessRecord) => AccessRecord | undefined) => {
      const next = step(record);
      if (next) record = next;
      return next;
    },
  };
  const deps = {
    access: { policy: async () => ({ admins: ['U1'], grants: [], freezes: [] }) },
    accessStore,
    clock: { now: () => now },
    hosting: {
      about: {},
      listInstances: async () => ({ instances: [{ id: '1', name: 'a' }], isWhole: true }),
    },
    approvalRules: () => [],
    isProtected: () => true,
    changes: [],
    outbox: { saying: async () => ({}) },
  };
  const rehearsal: Pick<Rehearsal, 'way'> = {
    way: async () => {
      looks += 1;
      if (isCutOff) throw new Error('cut off');
      return [];
    },
  };
  const given = deps as unknown as Rehearsing; // the parts that it asks
  const weekly = createWeeklyRehearsal(given, rehearsal as Rehearsal, async () => undefined);
  await Promise.allSettled([weekly(), weekly()]);
  expect(looks).toBe(1);
  isCutOff = false;
  await weekly();
  expect(looks).toBe(1);
  now += HOUR_MS;
  await weekly();
  await weekly();
  expect(looks).toBe(2);
});
