import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Addon, HostingService, Usage } from '../../src/platform/hosting/service.ts';
import { addonName, addonState, isAttached, isOn, readAddons } from '../../src/core/lookup/addon.ts';
import { anyText } from '../support/any-text.ts';
import { runs } from '../support/runs.ts';

const backup: Addon = { id: '7', type: 'backup', instanceId: '42', status: 'active' };
const web = { id: '42', name: 'web-1' };

describe('an add-on can be removed', () => {
  test.each([undefined, 'active', 'suspended', 'pending', 'canceling', 'hibernating', 'quarantined', ''])(
    'that is %j',
    (status) => expect(isAttached(status === undefined ? {} : { status })).toBe(true),
  );
  test.each(['canceled', 'cancelled', 'Canceled', 'DELETED', 'removed', 'expired', 'ended', 'inactive'])(
    'and not that is %j',
    (status) => expect(isAttached({ status })).toBe(false),
  );
});

describe('an add-on is active', () => {
  test.each([undefined, '', 'active', 'Active', 'running', 'ENABLED'])('that is %j', (status) =>
    expect(addonState(status === undefined ? {} : { status })).toBe('active'),
  );
  test.each([
    ['hibernating', 'asleep'],
    ['Suspended', 'suspended'],
    ['Past due', 'suspended'],
    ['pending', 'on the way'],
    ['cancelled', 'over'],
    ['quarantined', 'unknown'],
    ['constructor', 'unknown'],
  ])('and not that is %j, which is %s', (status, state) => expect(addonState({ status })).toBe(state));

  test('by no word but those that are known to mean it', () => {
    fc.assert(
      fc.property(anyText(), (status) => {
        fc.pre(!/^\s*(active|running|enabled|ready|available|ok)?\s*$/i.test(status));
        return addonState({ status }) !== 'active';
      }),
      { numRuns: runs(10_000) },
    );
  });
});

describe('an add-on is on an instance', () => {
  test.each([
    ['by the instance\u2019s id', backup, true],
    ['by its name where no id is given', { id: '7', type: 'backup', instanceName: 'web-1' }, true],
    [
      'not by its name where another id is given',
      { ...backup, instanceId: '43', instanceName: 'web-1' },
      false,
    ],
    ['not by its id as a name', { id: '7', type: 'backup', instanceName: '42' }, false],
    ['not where nothing is given', { id: '7', type: 'backup' }, false],
    ['not once it is over', { ...backup, status: 'cancelled' }, false],
  ])('%s', (_name, addon, on) => expect(isOn(addon, web)).toBe(on));
});

test('an add-on is called by its type, and its tier where it has one, both as plain text', () => {
  expect(addonName({ type: 'backup' })).toBe('backup');
  expect(addonName({ type: 'llm', tier: 'standard' })).toBe('llm (standard)');
  expect(addonName({ type: 'a\nb', tier: '\u202Ex' })).toBe('a b (x)');
  expect([...addonName({ type: 'x'.repeat(500), tier: 'y'.repeat(500) })].length).toBeLessThanOrEqual(103);
});

describe('add-ons are read', () => {
  const hosting = (addons: Addon[] | undefined, usage: Usage): HostingService =>
    ({ listAddons: async () => addons && { addons }, getUsage: async () => usage }) as HostingService;

  test('from their own list, where they can be changed', async () => {
    const read = await readAddons(hosting([backup], { instances: [], addons: [{ id: '9' }] }));
    expect(read).toEqual({ addons: [backup], canChange: true });
    expect(await readAddons(hosting([], { instances: [], addons: [{}] }))).toEqual({
      addons: [],
      canChange: true,
    });
  });

  test('else from the usage, where they can only be seen', async () => {
    const addons = [{ type: 'backup', instanceName: 'web-1' }, { id: '9' }];
    expect(await readAddons(hosting(undefined, { instances: [], addons }))).toEqual({
      canChange: false,
      addons: [
        { id: '', type: 'backup', instanceName: 'web-1' },
        { id: '9', type: '(no type)' },
      ],
    });
  });
});
