import { describe, expect, it } from 'vitest';
import { createLatest, isOlder } from '../../src/core/operations/latest.ts';
import { operation } from './operation.ts';

it('a process forgets the operations that another has closed, and keeps those that are open', () => {
  const latest = createLatest();
  for (const id of ['open', 'elsewhere', 'own'])
    latest.keep({ version: '1.a', operation: { ...operation({}), id } });
  latest.keep({ version: '2.b', operation: { ...operation({}), id: 'own', closedAt: 1 } });
  latest.keepOpen(new Set(['open']));
  expect(['open', 'elsewhere', 'own'].map((id) => latest.get(id)?.version)).toEqual([
    '1.a',
    undefined,
    '2.b',
  ]);
});

describe('what stands in Redis beside what a process has written', () => {
  const at = (version: string, before: readonly string[] = []) => ({
    version,
    before,
    operation: operation({}),
  });
  const known = at('7.own', ['5.base', '6.own']);

  it.each([
    ['4.any', true, 'was written before all that is known'],
    ['5.base', true, 'is what its own writes began from'],
    ['6.own', true, 'is its own write before the last'],
    ['6.other', false, 'was written by another in the place of one that was lost'],
    ['7.own', false, 'is its last write'],
    ['7.other', false, 'is of another, as often written'],
    ['8.other', false, 'was written since'],
  ])('%s: older is %s, since it %s', (version, expected) => {
    expect(isOlder(at(version), known)).toBe(expected);
  });
});
