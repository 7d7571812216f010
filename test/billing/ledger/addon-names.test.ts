import fc from 'fast-check';
import { expect, it } from 'vitest';
import { typeOf, withoutAddon } from '../../../src/features/billing/ledger/booked.ts';
import { runs } from '../../support/runs.ts';

it.each([
  ['addon_charge', 'Add-on backup: web-1', 'addon_charge: backup'],
  ['addon_charge', 'addon llm', 'addon_charge: llm'],
  ['add-on', 'Add on: snapshots.daily for web-1', 'add-on: snapshots.daily'],
  ['addon_charge', 'Backup of web-1', 'addon_charge'],
  ['addon_charge', undefined, 'addon_charge'],
  ['daily_charge', 'Add-on backup: web-1', 'daily_charge'],
])('%s, "%s" is summed up as %s', (type, description, named) => {
  expect(typeOf({ type, ...(description === undefined ? {} : { description }) }, new Map())).toBe(named);
});

it('tells so many add-ons of a day apart at most, and never takes one type for another', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z0-9][\w.-]{0,60}$/), { minLength: 60, maxLength: 80 });
  fc.assert(
    fc.property(names, (all) => {
      const known = new Map<string, true>([['daily_charge', true]]);
      for (const name of all) {
        const type = typeOf({ type: 'addon_charge', description: `Add-on ${name}: x` }, known);
        if (withoutAddon(type) !== 'addon_charge') return false;
        known.set(type, true);
      }
      return known.size <= 52;
    }),
    { numRuns: runs(300) },
  );
});
