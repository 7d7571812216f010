import type { Block } from '../../wire.ts';

/** A block, and what it is part of: a message by its ts, a modal by its id, or `home`. */
export interface BlockProps {
  readonly block: Block;
  readonly target: string;
}
