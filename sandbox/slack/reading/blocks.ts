import { type Json, record, records, shown } from '../json.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { readElement, readText } from './elements.ts';
import { readRichText } from './rich-text.ts';

type Read = (workspace: Workspace, block: Json) => string[];

const READERS: Readonly<Record<string, Read>> = {
  actions: (workspace, block) => [
    records(block['elements'])
      .map((element) => readElement(workspace, element))
      .join(' '),
  ],
  section: (workspace, block) => readText(workspace, block['text']).split('\n'),
  divider: () => ['───'],
  rich_text: readRichText,
  input: (workspace, block) => {
    const hint = readText(workspace, block['hint']);
    const element = readElement(workspace, record(block['element']));
    const optional = block['optional'] === true ? ' (optional)' : '';
    return [`${readText(workspace, block['label'])}${optional}: ${element}`, ...(hint ? [`  ${hint}`] : [])];
  },
  table: (_, block) => readTable(block),
  data_table: (_, block) => [shown(block['caption']), ...readTable(block)],
  container: (workspace, block) => [
    ...[block['title'], block['subtitle']].map((text) => readText(workspace, text)).filter(Boolean),
    ...records(block['child_blocks']).flatMap((child) =>
      readBlock(workspace, child).map((line) => `  ${line}`),
    ),
  ],
  data_visualization: (_, block) => readChart(block),
};

/** A block as lines of plain text, as a person reads it. */
export function readBlock(workspace: Workspace, block: Json): string[] {
  const type = String(block['type']);
  return READERS[type]?.(workspace, block) ?? [`[${type}]`];
}

function readTable(block: Json): string[] {
  const rows = Array.isArray(block['rows']) ? block['rows'].map((row) => records(row)) : [];
  const cells = rows.map((row) => row.map((cell) => shown(cell['text'])));
  const widths = cells.reduce<number[]>(
    (most, row) => row.map((cell, at) => Math.max(cell.length, most[at] ?? 0)),
    [],
  );
  return cells.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join(' | ')
      .trimEnd(),
  );
}

function readChart(block: Json): string[] {
  const chart = record(block['chart']);
  const points = (data: unknown): string =>
    records(data)
      .map((point) => `${String(point['label'])} ${String(point['value'])}`)
      .join(', ');
  const series = records(chart['series']).map((one) => `  ${String(one['name'])}: ${points(one['data'])}`);
  return [`[${String(chart['type'])} chart: ${String(block['title'])}]`, ...series];
}
