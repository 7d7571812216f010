import { isRecord, type Json, record, records, shown, string } from '../json.ts';
import type { BrokenRule } from './faults.ts';

/** The rules that hold between the blocks of one message or view; the blocks passed their own already. */
export function rulesAcross(blocks: readonly Json[]): BrokenRule[] {
  return [...uniqueBlockIds(blocks), ...blocks.flatMap(elementRules), ...oneFocus(blocks), ...totals(blocks)];
}

/** The interactive elements of a block, each with its place in it. */
export function elementsOf(block: Json): { element: Json; path: (string | number)[] }[] {
  const nested = records(block['child_blocks']).flatMap((child, at) =>
    elementsOf(child).map(({ element, path }) => ({ element, path: ['child_blocks', at, ...path] })),
  );
  const cards =
    block['type'] === 'carousel' ? records(block['elements']) : block['type'] === 'card' ? [block] : [];
  const buttons = cards.flatMap((card) => records(card['actions']).map((element) => ({ element, path: [] })));
  const listed = ['actions', 'context_actions'].includes(shown(block['type']))
    ? records(block['elements'])
    : [];
  const single = (['accessory', 'element'] as const).filter((place) => isRecord(block[place]));
  return [
    ...listed.map((element, at) => ({ element, path: ['elements', at] })),
    ...single.map((place) => ({ element: record(block[place]), path: [place] })),
    ...nested,
    ...buttons,
  ];
}

function uniqueBlockIds(blocks: readonly Json[]): BrokenRule[] {
  const ids = blocks.map((block) => string(block['block_id']));
  return ids.flatMap((id, at) =>
    id !== undefined && ids.indexOf(id) < at
      ? [{ message: '`block_id` already exists', path: [at, 'block_id'] }]
      : [],
  );
}

function elementRules(block: Json, at: number): BrokenRule[] {
  const seen = new Set<string>();
  return elementsOf(block).flatMap(({ element, path }) => {
    const broken: BrokenRule[] = [];
    const id = string(element['action_id']);
    if (id !== undefined && seen.has(id)) {
      broken.push({ message: '`action_id` already exists', path: [at, ...path, 'action_id'] });
    }
    if (id !== undefined) seen.add(id);
    if (!initialIsOffered(element)) {
      broken.push({ message: 'initial option must be one of the options', path: [at, ...path] });
    }
    return broken;
  });
}

function initialIsOffered(element: Json): boolean {
  const offered = [
    ...records(element['options']),
    ...records(element['option_groups']).flatMap((group) => records(group['options'])),
  ];
  if (offered.length === 0) return true;
  const initial = [...records(element['initial_options']), ...records([element['initial_option']])];
  const written = new Set(offered.map((one) => JSON.stringify(sorted(one))));
  return initial.every((one) => written.has(JSON.stringify(sorted(one))));
}

function sorted(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.keys(value)
    .toSorted()
    .map((key) => [key, sorted(value[key])]);
}

function oneFocus(blocks: readonly Json[]): BrokenRule[] {
  const focused = blocks.flatMap((block, at) =>
    elementsOf(block).flatMap(({ element, path }) =>
      element['focus_on_load'] === true ? [[at, ...path]] : [],
    ),
  );
  return focused.slice(1).map((path) => ({ message: 'only one element may have focus_on_load', path }));
}

function totals(blocks: readonly Json[]): BrokenRule[] {
  const of = (type: string): Json[] => blocks.filter((block) => block['type'] === type);
  const broken: BrokenRule[] = [];
  if (of('data_visualization').length > 2) {
    broken.push({ message: 'no more than 2 data_visualization blocks allowed', path: [] });
  }
  if (of('markdown').reduce((sum, block) => sum + shown(block['text']).length, 0) > 12_000) {
    broken.push({ message: 'markdown text must be less than 12001 characters in total', path: [] });
  }
  const tables = [...of('table'), ...of('data_table')];
  if (tables.reduce((sum, table) => sum + cellCharacters(table['rows']), 0) > 10_000) {
    broken.push({ message: 'table cells must be less than 10001 characters in total', path: [] });
  }
  return broken;
}

function cellCharacters(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + cellCharacters(one), 0);
  if (!isRecord(value)) return 0;
  const own = typeof value['text'] === 'string' ? value['text'].length : shown(value['value']).length;
  return own + cellCharacters(value['elements']);
}
