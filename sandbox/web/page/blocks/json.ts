import { record, records, string } from '../../../slack/json.ts';
import type { Block } from '../../wire.ts';

export { record, records };

/** A text field of a block, or nothing. */
export function textOf(block: Block, name: string): string {
  return string(block[name]) ?? '';
}

/** The words of a text object. */
export function labelOf(value: unknown): string {
  return string(record(value)['text']) ?? '';
}
