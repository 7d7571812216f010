import { expect, test } from 'vitest';
import { progressAfter } from '../../../src/features/billing/digest/look.ts';
import { NOTHING_READ, type Progress } from '../../../src/features/billing/digest/progress.ts';
import { HostingError } from '../../../src/platform/hosting/hosting-error.ts';

const further: Progress = {
  ...NOTHING_READ,
  page: 4,
  count: 300,
  next: { path: '/transactions?cursor=old' },
};
const answered = (status: number): HostingError =>
  new HostingError('listing', { fault: 'refused', outcome: 'not-done', retryable: false, status });

test('a digest whose place in the list is gone is read again from the start', () => {
  for (const status of [400, 404, 410, 422])
    expect(progressAfter(further, answered(status))).toBe(NOTHING_READ);
});

test('any other fault keeps what a digest has read', () => {
  for (const status of [401, 403, 429, 500, 503])
    expect(progressAfter(further, answered(status))).toBe(further);
  const { next: _, ...numbered } = further;
  expect(progressAfter(numbered, answered(404))).toBe(numbered);
  expect(progressAfter(further, new Error('lost'))).toBe(further);
});
