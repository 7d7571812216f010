import type { Batches } from '../batches/batches.ts';
import type { Operations } from '../operations/operations.ts';
import type { WaysBack } from '../operations/way-back.ts';
import type { Parts } from '../parts/parts.ts';

/** The bot as what begins changes has it. */
export interface Changing extends Parts {
  readonly operations: Operations;
  readonly batches: Batches;
  readonly waysBack: WaysBack;
}
