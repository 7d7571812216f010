import { expect, test } from 'vitest';
import { isPlaceGone, NOT_BEGUN } from '../../../src/features/billing/transactions/walk.ts';
import { HostingError } from '../../../src/platform/hosting/hosting-error.ts';

const further = { ...NOT_BEGUN, page: 4, count: 300, next: { path: '/transactions?cursor=old' } };
const answered = (status: number): HostingError =>
  new HostingError('listing', { fault: 'refused', outcome: 'not-done', retryable: false, status });

test('a digest whose place in the list is gone is read again from the start', () => {
  for (const status of [400, 404, 410, 422]) expect(isPlaceGone(further, answered(status))).toBe(true);
});

test('any other fault keeps what a digest has read', () => {
  for (const status of [401, 403, 429, 500, 503]) expect(isPlaceGone(further, answered(status))).toBe(false);
  const { next: _, ...numbered } = further;
  expect(isPlaceGone(numbered, answered(404))).toBe(false);
  expect(isPlaceGone(further, new Error('lost'))).toBe(false);
});
