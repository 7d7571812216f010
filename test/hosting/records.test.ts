import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Unreadable } from '../../src/platform/hosting/unreadable.ts';
import { instanceHostingTable as table } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import {
  addonFrom,
  balanceFrom,
  instanceFrom,
  transactionFrom,
  usageFrom,
} from '../../src/platform/hosting/table/records.ts';
import { runs } from '../support/runs.ts';
import { z } from 'zod';

const instance = (record: unknown) => instanceFrom(table, record);

test('an instance has what the service says of it, and no field that it leaves out', () => {
  expect(instance({ id: 7, name: 'web-1', status: 'Running' })).toEqual({
    id: '7',
    name: 'web-1',
    status: 'running',
    statusWord: 'Running',
    isPaidByDay: true,
    can: {},
  });
  expect(
    instance({
      id: 'a-7',
      name: 'web-1',
      state: 'shutting-down',
      tier: 'pro',
      billing_mode: 'daily',
      ip_address: null,
      health_status: 'healthy',
      created_at: '2026-01-01T00:00:00Z',
      can_start: false,
      can_stop: true,
      can_restart: null,
      subdomain_url: 'web-1.example.test',
      daily_claw_cost: '12.50',
      unheard_of: 1,
    }),
  ).toEqual({
    id: 'a-7',
    name: 'web-1',
    status: 'stopping',
    statusWord: 'shutting-down',
    tier: 'pro',
    billingMode: 'daily',
    health: 'healthy',
    createdAt: '2026-01-01T00:00:00Z',
    address: 'web-1.example.test',
    dailyCostCredits: '12.50',
    isPaidByDay: true,
    can: { start: false, stop: true },
  });
});

test('the schema of an instance is compiled: nothing keeps zod from doing so', () => {
  expect(z.config().jitless ?? false).toBe(false);
  expect(z.core.util.allowsEval.value).toBe(true);
});

test('whatever a service sends of a status, it is the same with and without case and dashes', () => {
  for (const [word, status] of [
    ['toString', 'unknown'],
    ['__proto__', 'unknown'],
    [' Shutting Down ', 'stopping'],
    ['billing-suspension', 'paused'],
  ])
    expect(instance({ id: 1, power_status: word })).toMatchObject({ status, statusWord: word });
});

test.each([
  undefined,
  null,
  7,
  [],
  {},
  { id: null, name: 'x', status: 'running' },
  { id: 1, name: 'x', status: 7 },
  // As JSON.parse reads 9007199254740993, which may be another instance's id.
  { id: 2 ** 53, name: 'x', status: 'running' },
])('%j is no instance', (record) => {
  expect(() => instance(record)).toThrow(Unreadable);
  expect(() => instance(record)).toThrow(/^not as expected/);
});

test('the fault names fields, at most five of them, and never what stands in them', () => {
  let said = '';
  try {
    instance({
      id: {},
      name: 1,
      status: 2,
      tier: 'canary'.split(''),
      billing_mode: {},
      ip_address: 7,
      can_stop: 'canary',
    });
  } catch (error) {
    said = String(error);
  }
  expect(said).toContain('id, name, status');
  expect(said).not.toContain('canary');
  expect(said.split(', ')).toHaveLength(5);
});

describe('a balance', () => {
  test('is what stands in it, in any of its places', () => {
    expect(
      balanceFrom(table, {
        data: { claws_balance: 1500, daily_claw_cost: 225, days_remaining: 6, low_balance: false },
      }),
    ).toEqual({
      credits: '1500',
      dailyCostCredits: '225',
    });
    expect(balanceFrom(table, { balance: '12.34' })).toEqual({ credits: '12.34' });
    expect(balanceFrom(table, { data: { credits: -3, days_remaining: null } })).toEqual({
      credits: '-3',
    });
  });

  test.each([
    undefined,
    null,
    {},
    { data: {} },
    { data: [] },
    { data: { claws_balance: null } },
    { data: { claws_balance: 'many' } },
    { data: { claws_balance: '' } },
  ])('that cannot be read from %j is never a zero', (body) =>
    expect(() => balanceFrom(table, body)).toThrow(Unreadable),
  );
});

test('usage tells what it has, and a hole in it is a hole', () => {
  expect(
    usageFrom({
      data: {
        daily_total: 270,
        instances: [{ id: 1, name: 'web-1', daily_claws: 10, status: 'running' }, {}],
        addons: [{ addon_type: 'llm', usage_limit: 10, current_usage: 0 }],
      },
    }),
  ).toEqual({
    dailyTotalCredits: '270',
    instances: [{ id: '1', name: 'web-1', dailyCredits: '10', status: 'running' }, {}],
    addons: [{ type: 'llm', limit: 10, used: 0 }],
  });
});

test('a transaction keeps its sign', () => {
  const wire = { id: 9, type: 'usage', amount: -225, created_at: '2026-01-01T00:00:00Z', instance_id: null };
  expect(transactionFrom({ ...wire, balance_after: '1275' })).toEqual({
    id: '9',
    type: 'usage',
    amountCredits: '-225',
    balanceAfterCredits: '1275',
    createdAt: '2026-01-01T00:00:00Z',
  });
});

test('a transaction is kept as far as it can be read, and never throws', () => {
  const wire = { id: 9, type: 'usage', amount: -225, created_at: '2026-01-01T00:00:00Z' };
  const kept = { id: '9', type: 'usage', createdAt: '2026-01-01T00:00:00Z' };
  expect(transactionFrom({ ...wire, amount: 'much', balance_after: [], instance_id: {} })).toEqual(kept);
  expect(transactionFrom({ ...wire, type: 7, created_at: null })).toEqual({
    id: '9',
    type: '',
    createdAt: '',
    amountCredits: '-225',
  });
  // Nobody can tell whether it came before.
  expect(transactionFrom({ ...wire, id: undefined })).toEqual({ ...kept, id: '' });
  fc.assert(
    fc.property(fc.jsonValue(), (record) => {
      const { amountCredits, ...rest } = transactionFrom(record);
      expect(Object.values(rest).every((value) => typeof value === 'string')).toBe(true);
      expect(amountCredits === undefined || /^-?\d+(\.\d+)?$/.test(amountCredits)).toBe(true);
    }),
  );
});

test('an add-on needs an id and a type', () => {
  expect(addonFrom({ id: 1, addon_type: 'llm', tier: null })).toEqual({ id: '1', type: 'llm' });
  expect(() => addonFrom({ id: 1 })).toThrow(Unreadable);
  expect(() => addonFrom({ addon_type: 'llm' })).toThrow(Unreadable);
});

test('nothing of any shape makes a reader throw anything but a Unreadable', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(Number.NaN, Infinity, -0, 2 ** 60));
  const record = fc.oneof(
    value,
    fc.record(
      {
        id: value,
        name: value,
        status: value,
        amount: value,
        type: value,
        claws_balance: value,
        data: value,
        instances: value,
        addons: value,
        created_at: value,
        addon_type: value,
      },
      { requiredKeys: [] },
    ),
  );
  const readers = [
    instance,
    (body: unknown) => balanceFrom(table, body),
    (body: unknown) => usageFrom(body),
    transactionFrom,
    (body: unknown) => addonFrom(body),
  ];
  fc.assert(
    fc.property(record, (body) => {
      for (const read of readers) {
        try {
          read(body);
        } catch (error) {
          expect(error).toBeInstanceOf(Unreadable);
        }
      }
    }),
    { numRuns: runs(10_000) },
  );
});

test.each([
  [{ id: 1, name: null, status: 'running' }, '(no name)', 'running'],
  [{ id: 1, name: 'x', status: null }, 'x', 'unknown'],
  [{ id: 1, name: 'x' }, 'x', 'unknown'],
])('%j holds up nobody: what is missing is said', (record, name, status) => {
  expect(instance(record)).toMatchObject({ id: '1', name, status });
});
