import { type Json, record, records, shown, string } from '../json.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { readElement, readText } from './elements.ts';
import { decode } from './mrkdwn.ts';
import { readRichText } from './rich-text.ts';

type Read = (workspace: Workspace, block: Json) => string[];

const elements: Read = (workspace, block) => [
  records(block['elements'])
    .map((element) => readElement(workspace, element))
    .join(' '),
];

const READERS: Readonly<Record<string, Read>> = {
  actions: elements,
  context_actions: elements,
  context: elements,
  divider: () => ['────────'],
  header: (workspace, block) => [`# ${readText(workspace, block['text'])}`],
  section: readSection,
  rich_text: readRichText,
  image: (workspace, block) => {
    const title = readText(workspace, block['title']);
    return [`${title ? `${title} ` : ''}[image: ${string(block['alt_text']) ?? ''}]`];
  },
  input: (workspace, block) => {
    const hint = readText(workspace, block['hint']);
    const element = readElement(workspace, record(block['element']));
    const optional = block['optional'] === true ? ' (optional)' : '';
    return [`${readText(workspace, block['label'])}${optional}: ${element}`, ...(hint ? [`  ${hint}`] : [])];
  },
  markdown: (_, block) => decode(string(block['text']) ?? '').split('\n'),
  alert: (workspace, block) => [`! ${readText(workspace, block['text'])}`],
  table: readTable,
  data_table: (workspace, block) => [string(block['caption']) ?? '', ...readTable(workspace, block)],
  data_visualization: (_, block) => readChart(block),
  card: readCard,
  carousel: (workspace, block) => records(block['elements']).flatMap((card) => readCard(workspace, card)),
  container: (workspace, block) => [
    readText(workspace, block['title']),
    ...records(block['child_blocks']).flatMap((child) =>
      readBlock(workspace, child).map((line) => `  ${line}`),
    ),
  ],
  video: (workspace, block) => [`[video: ${readText(workspace, block['title'])}]`],
  plan: (_, block) => [string(block['title']) ?? '', ...records(block['tasks']).map(taskLine)],
  task_card: (_, block) => [taskLine(block)],
};

/** A block as lines of plain text, as a person reads it. */
export function readBlock(workspace: Workspace, block: Json): string[] {
  const type = String(block['type']);
  return READERS[type]?.(workspace, block) ?? [`[${type}]`];
}

function readSection(workspace: Workspace, block: Json): string[] {
  const text = readText(workspace, block['text']).split('\n');
  const fields = records(block['fields']).map((field) => readText(workspace, field).replaceAll('\n', ' '));
  const lines = [...(block['text'] ? text : []), ...(fields.length > 0 ? [fields.join('   ')] : [])];
  const accessory = block['accessory'] ? ` ${readElement(workspace, record(block['accessory']))}` : '';
  return lines.map((line, index) => (index === 0 ? line + accessory : line));
}

function readCard(workspace: Workspace, card: Json): string[] {
  const lines = ['title', 'subtitle', 'body'].map((name) => readText(workspace, card[name])).filter(Boolean);
  const buttons = records(card['actions']).map((button) => readElement(workspace, button));
  return buttons.length > 0 ? [...lines, buttons.join(' ')] : lines;
}

function readTable(workspace: Workspace, block: Json): string[] {
  const rows = Array.isArray(block['rows']) ? block['rows'].map((row) => records(row)) : [];
  const cells = rows.map((row) => row.map((cell) => readCell(workspace, cell)));
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

function readCell(workspace: Workspace, cell: Json): string {
  if (cell['type'] === 'rich_text') return readRichText(workspace, cell).join(' ');
  return string(cell['text']) ?? shown(cell['value']);
}

function readChart(block: Json): string[] {
  const chart = record(block['chart']);
  const points = (data: unknown): string =>
    records(data)
      .map((point) => `${String(point['label'])} ${String(point['value'])}`)
      .join(', ');
  const series = records(chart['series']).map((one) => `  ${String(one['name'])}: ${points(one['data'])}`);
  const pie = chart['segments'] === undefined ? [] : [`  ${points(chart['segments'])}`];
  return [`[${String(chart['type'])} chart: ${String(block['title'])}]`, ...series, ...pie];
}

function taskLine(task: Json): string {
  return `(${shown(task['status']) || 'pending'}) ${String(task['title'])}`;
}
