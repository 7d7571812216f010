import type { Incomplete } from '../../../platform/hosting/service.ts';
import type { Change } from './change.ts';

/** Who was paused and who was idle, by instance id, when a digest was made. */
export interface Still {
  readonly paused: readonly string[];
  readonly idle: readonly string[];
}

/**
 * Whether a digest of "only changes" has nothing to tell: every instance used what it used the week before, and
 * nobody is paused or idle who wasn't when the digest `before` was made. Undefined `before`: there was none. Pure.
 */
export function isQuiet(
  change: Change,
  still: Still,
  {
    before,
    isCut,
    incomplete,
  }: { before: Still | undefined; isCut: boolean; incomplete?: Incomplete | undefined },
): boolean {
  // What was not all read may have changed.
  if (!before || isCut || incomplete || !change.isWhole) return false;
  return (
    change.causes.length === 0 &&
    still.paused.every((id) => before.paused.includes(id)) &&
    still.idle.every((id) => before.idle.includes(id))
  );
}
