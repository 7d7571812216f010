import { expect, test } from 'vitest';
import { afterFault } from '../../src/features/billing/billing.ts';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';

const TIMINGS = { billingRetryMs: 60_000 };
const fault = (retryAfterMs?: number): HostingError =>
  new HostingError('reading', { fault: 'rate-limited', outcome: 'not-done', retryable: true, retryAfterMs });

test('what fails again and again is tried after a minute, then four times as late each time, and each hour at least', () => {
  const minutes = [0, 1, 2, 3, 40].map((failures) => {
    const after = afterFault(failures, new Error('away'), 0, TIMINGS);
    expect(after.failures).toBe(failures + 1);
    return after.dueAt / 60_000;
  });
  expect(minutes).toEqual([1, 4, 16, 60, 60]);
});

test('a service that takes no more requests has not failed, and is asked again when it says', () => {
  expect(afterFault(3, fault(1_500), 1_000, TIMINGS)).toEqual({ failures: 3, dueAt: 2_500 });
  expect(afterFault(0, fault(), 1_000, TIMINGS)).toEqual({ failures: 0, dueAt: 6_000 });
});
