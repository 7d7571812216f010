import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRetryAfter } from '../../src/platform/hosting/retry-after.ts';
import { PURE_RUNS } from '../support/runs.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const SECONDS = NOW / 1000;

test.each([
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': '0' }, 1_000],
  [{ 'retry-after': '1.5' }, 1_500],
  [{ 'retry-after': '-5' }, 1_000],
  [{ 'retry-after': '100' }, 100_000],
  [{ 'retry-after': '86400' }, 3_600_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' }, 30_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' }, 1_000],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': 'soon', 'x-ratelimit-reset': String(SECONDS + 9) }, 9_000],
  [{ 'retry-after': '3', 'x-ratelimit-reset': String(SECONDS + 9) }, 3_000],
  [{ 'x-ratelimit-reset': String(SECONDS + 30) }, 30_000],
  // It may only mean that the whole budget is back by then.
  [{ 'x-ratelimit-reset': '3000' }, 120_000],
  [{ 'x-ratelimit-reset': '12' }, 12_000],
  [{ 'ratelimit-reset': '12' }, 12_000],
  [{ 'ratelimit-reset': String(SECONDS + 5) }, 5_000],
  [{ 'x-ratelimit-reset': String(SECONDS - 30) }, 1_000],
  [{ 'x-ratelimit-reset': 'never' }, undefined],
  [{ 'x-ratelimit-reset': new Date(NOW + 30_000).toISOString() }, 30_000],
  [{ 'ratelimit-reset': new Date(NOW + 30_000).toUTCString() }, 30_000],
  [{ 'retry-after': '5, 5', 'x-ratelimit-reset': '12' }, 12_000],
  // In milliseconds.
  [{ 'x-ratelimit-reset': String(NOW + 30_000) }, 30_000],
  [{ 'ratelimit-reset': String(NOW - 30_000) }, 1_000],
  [{ 'retry-after': String(NOW + 30_000) }, 30_000],
  [{ 'retry-after': String(SECONDS + 30) }, 30_000],
  // A reset beyond an hour is not believed, and neither is a wait beyond a day.
  [{ 'x-ratelimit-reset': String(SECONDS + 3_601) }, undefined],
  [{ 'x-ratelimit-reset': String(NOW * 1_000) }, undefined],
  [{ 'x-ratelimit-reset': '30000' }, undefined],
  [{ 'x-ratelimit-reset': '30000', 'ratelimit-reset': '12' }, 12_000],
  [{ 'x-ratelimit-reset': '' }, undefined],
  [{ 'retry-after': '86401' }, undefined],
  [{ 'retry-after': '1e308', 'x-ratelimit-reset': '12' }, 12_000],
  [{ 'retry-after': 'Sun, 22 Nov 2099 12:00:00 GMT' }, undefined],
  [{ 'retry-after': 'Sun, 22 Nov 2099 12:00:00 GMT', 'x-ratelimit-reset': '12' }, 12_000],
  [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 1_000],
  [{}, undefined],
])('%j is a wait of %s ms', (headers, waitMs) => {
  expect(parseRetryAfter(headers, NOW)).toBe(waitMs);
});

test('whatever a service writes, the wait is at least a second and at most an hour, or open', () => {
  const value = fc.oneof(
    fc.string(),
    fc.double().map(String),
    fc.maxSafeInteger().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    fc.constantFrom('NaN', 'Infinity', '-Infinity', '1e309', '0x10', ' 5 '),
  );
  const headers = fc.record(
    { 'retry-after': value, 'x-ratelimit-reset': value, 'ratelimit-reset': value },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(headers, (given) => {
      const present = Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined));
      const waitMs = parseRetryAfter(present, NOW);
      return waitMs === undefined || (waitMs >= 1_000 && waitMs <= 3_600_000);
    }),
    { numRuns: PURE_RUNS },
  );
});
