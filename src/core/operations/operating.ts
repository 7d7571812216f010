import type { Parts } from '../parts/parts.ts';
import type { Operations } from './operations.ts';

/** The bot as what begins operations and carries them out has it. */
export interface Operating extends Parts {
  readonly operations: Operations;
}
