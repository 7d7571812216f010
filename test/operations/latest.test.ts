import { expect, it } from 'vitest';
import { createLatest } from '../../src/core/operations/latest.ts';
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
