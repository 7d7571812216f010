import { type Json, record, records } from '../json.ts';
import type { World } from '../world.ts';
import { PostedMessage } from '../workspace/posted-message.ts';
import type { View } from '../workspace/views.ts';
import { asLeft, holdsValue, untouched } from './element-value.ts';
import { blocksOf, everyElement, type Target } from './target.ts';

/** The `values` of a message or view for one person: every element that holds one, touched or not. */
export function stateOf(world: World, target: Target, userId: string): Json {
  const values: Json = {};
  for (const { blockId, element } of everyElement(blocksOf(target))) {
    if (!holdsValue(element)) continue;
    const actionId = String(element['action_id']);
    const place = { target: targetId(target), userId, blockId, actionId };
    values[blockId] = {
      ...record(values[blockId]),
      [actionId]: world.choices.find(place) ?? untouched(element),
    };
  }
  return values;
}

/** The blocks of a view with what its person put into the inputs. */
export function inputsAsLeft(world: World, view: View): Json[] {
  const state = stateOf(world, view, view.userId);
  const asTheyLeft = (block: Json, element: Json): Json => {
    if (!holdsValue(element)) return element;
    const left = record(record(state[String(block['block_id'])])[String(element['action_id'])]);
    return asLeft(element, left);
  };
  return view.blocks.map((block) => {
    if (block['type'] === 'actions')
      return { ...block, elements: records(block['elements']).map((one) => asTheyLeft(block, one)) };
    if (block['type'] !== 'input') return block;
    return { ...block, element: asTheyLeft(block, record(block['element'])) };
  });
}

/** What tells one message or view from another. */
export function targetId(target: Target): string {
  return target instanceof PostedMessage ? target.ts : target.id;
}
