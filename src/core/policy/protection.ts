import { madeAnew } from '../../platform/made-anew.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { mayBeMeant } from './pattern.ts';

/** Whether an instance is protected: it can't be deleted here, and stopping or restarting it asks first. */
export type Protection = (instance: Pick<Instance, 'id' | 'name' | 'labels' | 'region'>) => boolean;

/**
 * By patterns of names, `*` for any run of characters in any case, by exact ids, since a name can be changed elsewhere, or by
 * labels and regions: one of which these can't be told is protected.
 */
export function createProtection(patterns: readonly string[]): Protection {
  return (instance) => mayBeMeant(patterns, instance);
}

/** The same by the patterns that count when it is asked. */
export function protectionBy(patterns: () => readonly string[]): Protection {
  const protection = madeAnew(patterns, createProtection);
  return (instance) => protection()(instance);
}
