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

/** Gives what is made of something, made anew only once that is something else. */
function madeAnew<Source, Made>(source: () => Source, make: (source: Source) => Made): () => Made {
  let of = source();
  let made = make(of);
  return () => {
    const now = source();
    if (now !== of) [of, made] = [now, make(now)];
    return made;
  };
}
