import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import { adapter } from '../../src/platform/hosting/adapters/instance-hosting.ts';

/** What an adapter has that says what its service counts in. */
export function countingIn(unit: string): Partial<Adapter> {
  const { billing } = adapter;
  return billing?.kind === 'prepaid' ? { billing: { ...billing, unit } } : {};
}
