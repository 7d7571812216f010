import type { Batches } from '../batches/batches.ts';
import type { Operating } from '../operations/operations.ts';
import type { WaysBack } from '../operations/way-back.ts';

/** The bot as what begins changes has it. */
export interface Changing extends Operating {
  readonly batches: Batches;
  readonly waysBack: WaysBack;
}
