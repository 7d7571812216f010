import { isRecord, type Json, record, records, shown, string } from '../json.ts';
import type { BrokenRule } from './faults.ts';

/** The rules that hold between the blocks of one message or view; the blocks passed their own already. */
export function rulesAcross(blocks: readonly Json[]): BrokenRule[] {
  const all = withChildren(blocks);
  return [...uniqueBlockIds(all), ...all.flatMap(elementRules), ...totals(all.map(({ block }) => block))];
}

/** The blocks, those inside of a container after it, each with its place. */
export function withChildren(blocks: readonly Json[]): PlacedBlock[] {
  return blocks.flatMap((block, at) => [
    { block, path: [at] },
    ...records(block['child_blocks']).map((child, index) => ({
      block: child,
      path: [at, 'child_blocks', index],
    })),
  ]);
}

interface PlacedBlock {
  readonly block: Json;
  readonly path: readonly (string | number)[];
}

/** The interactive elements of a block, each with its place in it. */
export function elementsOf(block: Json): { element: Json; path: (string | number)[] }[] {
  if (isRecord(block['element'])) return [{ element: record(block['element']), path: ['element'] }];
  const listed = block['type'] === 'actions' ? records(block['elements']) : [];
  return listed.map((element, at) => ({ element, path: ['elements', at] }));
}

function uniqueBlockIds(blocks: readonly PlacedBlock[]): BrokenRule[] {
  const ids = blocks.map(({ block }) => string(block['block_id']));
  return blocks.flatMap(({ path }, at) => {
    const id = ids[at];
    return id !== undefined && ids.indexOf(id) < at
      ? [{ message: '`block_id` already exists', path: [...path, 'block_id'] }]
      : [];
  });
}

function elementRules({ block, path: at }: PlacedBlock): BrokenRule[] {
  const seen = new Set<string>();
  return elementsOf(block).flatMap(({ element, path }) => {
    const broken: BrokenRule[] = [];
    const id = string(element['action_id']);
    if (id !== undefined && seen.has(id)) {
      broken.push({ message: '`action_id` already exists', path: [...at, ...path, 'action_id'] });
    }
    if (id !== undefined) seen.add(id);
    return broken;
  });
}

function totals(blocks: readonly Json[]): BrokenRule[] {
  const of = (type: string): Json[] => blocks.filter((block) => block['type'] === type);
  const broken: BrokenRule[] = [];
  if (of('data_visualization').length > 2) {
    broken.push({ message: 'no more than 2 data_visualization blocks allowed', path: [] });
  }
  const tables = [...of('table'), ...of('data_table')];
  if (tables.reduce((sum, table) => sum + cellCharacters(table['rows']), 0) > 10_000) {
    broken.push({ message: 'table cells must be less than 10001 characters in total', path: [] });
  }
  return broken;
}

function cellCharacters(rows: unknown): number {
  const cells = Array.isArray(rows) ? rows.flatMap((row) => records(row)) : [];
  return cells.reduce((sum, cell) => sum + shown(cell['text']).length, 0);
}
