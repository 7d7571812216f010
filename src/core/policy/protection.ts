import { madeAnew } from '../../platform/made-anew.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { matcherOf } from '../instances/filter.ts';

/** Whether an instance is protected: it can't be deleted here, and stopping or restarting it asks first. */
export type Protection = (instance: Pick<Instance, 'id' | 'name'>) => boolean;

/** By patterns of names, `*` for any run of characters in any case, or by exact ids: a name can be changed elsewhere. */
export function createProtection(patterns: readonly string[]): Protection {
  const matchers = patterns.map(matcherOf);
  return ({ id, name }) => patterns.includes(id) || matchers.some((isMatched) => isMatched(name));
}

/** The same by the patterns that count when it is asked. */
export function protectionBy(patterns: () => readonly string[]): Protection {
  const protection = madeAnew(patterns, createProtection);
  return (instance) => protection()(instance);
}
