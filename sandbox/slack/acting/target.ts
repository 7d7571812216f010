import { type Json, record, records, shown, string } from '../json.ts';
import { elementsOf, withChildren } from '../limits/across.ts';
import { PostedMessage } from '../workspace/posted-message.ts';
import type { View } from '../workspace/views.ts';

/** What a person can act on. */
export type Target = PostedMessage | View;

/** An element in its block; for an overflow menu also the line that was meant. */
export interface Found {
  readonly blockId: string;
  readonly element: Json;
  readonly option?: Json;
}

/** The blocks as the person has them before them: the present ones, or an earlier version's. */
export function blocksOf(target: Target, version?: number): readonly Json[] {
  if (version === undefined || !(target instanceof PostedMessage)) return target.blocks;
  const content = [...target.edits, target.content].at(version);
  if (!content) throw new Error(`the message has no version ${version}`);
  return content.blocks;
}

/** Every element of the blocks that a person can use. */
export function everyElement(blocks: readonly Json[]): Found[] {
  return withChildren(blocks).flatMap(({ block }) =>
    elementsOf(block).map(({ element }) => ({ blockId: shown(block['block_id']), element })),
  );
}

/** One element and no other, as a screen knows it; `value` is that of a line of its menu. */
export interface Spot {
  readonly blockId: string;
  readonly actionId: string;
  readonly value?: string;
}

/** What a person means: an action id, a label, a block id or a value, or one spot of their screen. */
export type Wanted = string | Spot;

/** Finds an element; throws, naming what is there, unless there is exactly one. */
export function findElement(blocks: readonly Json[], wanted: Wanted): Found {
  const all = everyElement(blocks).flatMap(withOptions);
  if (typeof wanted !== 'string') {
    const found = all.find(isAt(wanted));
    if (!found) throw new Error('That is not there any more.');
    return found;
  }
  const ways: ((found: Found) => boolean)[] = [
    (found) => found.option === undefined && found.element['action_id'] === wanted,
    (found) => labelOf(found) === wanted,
    (found) => found.option === undefined && found.blockId === wanted,
    (found) => (found.option ?? found.element)['value'] === wanted,
  ];
  const hits = ways.map((is) => all.filter(is)).find((some) => some.length > 0) ?? [];
  const [only] = hits;
  if (only && hits.length === 1) return only;
  const there = all
    .map((found) => `${labelOf(found) ?? '?'} (${String(found.element['action_id'])})`)
    .join(', ');
  throw new Error(
    `${hits.length === 0 ? 'no' : 'more than one'} ${JSON.stringify(wanted)} here; there is: ${there || 'nothing'}`,
  );
}

function isAt({ blockId, actionId, value }: Spot): (found: Found) => boolean {
  return (found) =>
    found.blockId === blockId && found.element['action_id'] === actionId && found.option?.['value'] === value;
}

/** Whether there is a button, or a line of an overflow menu, with this label. */
export function canPress(blocks: readonly Json[], label: string): boolean {
  return everyElement(blocks)
    .flatMap(withOptions)
    .some((found) => {
      const isPressed = found.option !== undefined || String(found.element['type']).endsWith('button');
      return isPressed && labelOf(found) === label;
    });
}

/** What stands on an element, or on a line of an overflow menu. */
function labelOf({ element, option }: Found): string | undefined {
  return (
    string(record((option ?? element)['text'])['text']) ?? string(record(element['placeholder'])['text'])
  );
}

function withOptions(found: Found): Found[] {
  const { blockId, element } = found;
  if (element['type'] !== 'overflow') return [found];
  return [found, ...records(element['options']).map((option) => ({ blockId, element, option }))];
}
