import { expect, test } from 'vitest';
import { Refusal } from '../../src/core/refusal.ts';
import type { Instance } from '../../src/platform/hosting/service.ts';
import { parseFilters } from '../../src/core/lookup/filter.ts';
import { findLoosely } from '../../src/core/lookup/find.ts';

const instance = (id: string, name: string): Instance => ({
  id,
  name,
  status: 'running',
  statusWord: 'running',
  can: {},
});

// MAX_NEAR is for writes only; a read that fits more than one offers up to five.
test('a read that fits many offers up to five', () => {
  const fleet = Array.from({ length: 50 }, (_, index) => instance(String(index), `web-${index}`));
  const found = findLoosely('web', fleet);
  expect(found.found === 'none' ? found.near.length : 0).toBe(5);
});

// "not one of nothing" is everything, which is a lot to choose by a slip.
test.each(['-status:,', '-name:,,', 'status:,'])('the filter %s without a value is refused', (word) => {
  expect(() => parseFilters([word])).toThrow(Refusal);
});
