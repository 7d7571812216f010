import type {
  Button as SlackButton,
  KnownBlock,
  Overflow,
  PlainTextElement,
  PlainTextOption,
  RichTextSection,
} from '@slack/types';
import { z } from 'zod';
import {
  type Chart,
  chartBlock,
  chartSchema,
  type MessageBlock,
  type Table,
  tableBlock,
  tableSchema,
} from './figures.ts';
import { type Phrase, phraseSchema, plain, toElements, toText } from './phrase.ts';

/** One message as data: what it says, then what can be pressed. Rendered to blocks within Slack's limits. */
export interface Message {
  readonly lines: readonly Phrase[];
  readonly bullets?: readonly Phrase[];
  /** A picture of the table; a client that knows no charts is shown the same without. */
  readonly chart?: Chart;
  readonly table?: Table;
  readonly note?: Phrase;
  readonly buttons?: readonly Button[];
  /** What else can be pressed, behind the three dots: Slack shows at most five. */
  readonly menu?: readonly Button[];
  readonly picker?: Picker;
  /** Says it better, where whoever is to read this alone has just typed or pressed something. */
  readonly modal?: Modal;
}

/** A button. `routeId` is its action id; `value` is an opaque id, never authority. */
export interface Button {
  readonly label: string;
  readonly routeId: string;
  readonly value: string;
  readonly style?: 'primary' | 'danger';
}

/** A select with type-ahead whose choice is handed to `routeId`. */
interface Picker {
  readonly routeId: string;
  readonly placeholder: string;
  /** The id of the words that the choice is to complete. */
  readonly keeps?: string;
}

/** A modal with one field to type into, handed to `routeId` when it is submitted. */
export interface Modal {
  readonly routeId: string;
  /** An opaque id, never authority. */
  readonly value: string;
  readonly title: string;
  readonly lines: readonly Phrase[];
  readonly bullets?: readonly Phrase[];
  readonly field: { readonly label: string; readonly hint?: string };
  readonly submit: string;
}

/** One line of a picker: foreign label, id as value. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  /** What stands over all of them, if it does over the first. */
  readonly heading?: string;
}

export interface Rendered {
  readonly text: string;
  readonly blocks: MessageBlock[];
}

const buttonSchema = z.object({
  label: z.string(),
  routeId: z.string(),
  value: z.string(),
  style: z.enum(['primary', 'danger']).exactOptional(),
});

/** A message as it is kept in Redis until it has been told. */
export const messageSchema = z.object({
  lines: z.array(phraseSchema),
  bullets: z.array(phraseSchema).exactOptional(),
  chart: chartSchema.exactOptional(),
  table: tableSchema.exactOptional(),
  note: phraseSchema.exactOptional(),
  buttons: z.array(buttonSchema).exactOptional(),
  menu: z.array(buttonSchema).exactOptional(),
  picker: z
    .object({ routeId: z.string(), placeholder: z.string(), keeps: z.string().exactOptional() })
    .exactOptional(),
  modal: z
    .object({
      routeId: z.string(),
      value: z.string(),
      title: z.string(),
      lines: z.array(phraseSchema),
      bullets: z.array(phraseSchema).exactOptional(),
      field: z.object({ label: z.string(), hint: z.string().exactOptional() }),
      submit: z.string(),
    })
    .exactOptional(),
}) satisfies z.ZodType<Message>;

const MOST_BULLETS = 60;
const MOST_MENU_LINES = 5;
const LONGEST_TEXT = 3800; // chat.update refuses text past 4,000 characters (slack.md 2.3)
const LONGEST_OPTION = 75;
const LONGEST_PLACEHOLDER = 150;
const LONGEST_VALUE = 150;
const MOST_OPTIONS = 100;

/**
 * A message as `text` and blocks. `key` marks the first block, so that the message can be found again
 * in the channel's history.
 */
export function render(message: Message, key?: string): Rendered {
  const blocks: MessageBlock[] = [richText(message, key)];
  if (message.chart) blocks.push(chartBlock(message.chart));
  if (message.table) blocks.push(tableBlock(message.table));
  if (message.note) blocks.push({ type: 'rich_text', elements: [section([message.note])] });
  if (message.picker) {
    const { keeps } = message.picker;
    const id = keeps === undefined ? {} : { block_id: keeps };
    blocks.push({ type: 'actions', ...id, elements: [select(message.picker)] });
  }
  const pressed = [...(message.buttons ?? []).slice(0, 5).map(button), ...overflow(message.menu ?? [])];
  if (pressed.length > 0) blocks.push({ type: 'actions', elements: pressed });
  return { text: sentence(message), blocks };
}

/** Choices as options of a select: plain text, at most 100. */
export function toOptions(choices: readonly Choice[]): PlainTextOption[] {
  // One value that Slack refuses would spoil the whole answer.
  const fitting = choices.filter(({ value }) => value.length >= 1 && value.length <= LONGEST_VALUE);
  return fitting.slice(0, MOST_OPTIONS).map((choice) => ({
    text: { type: 'plain_text', text: plain(choice.label, LONGEST_OPTION), emoji: false },
    value: choice.value,
  }));
}

/** The answer to a select that asks for its options. */
export function toOptionsAnswer(
  choices: readonly Choice[],
):
  | { options: PlainTextOption[] }
  | { option_groups: { label: PlainTextElement; options: PlainTextOption[] }[] } {
  const options = toOptions(choices);
  const heading = choices[0]?.heading;
  if (heading === undefined || options.length === 0) return { options };
  return {
    option_groups: [
      { label: { type: 'plain_text', text: plain(heading, LONGEST_OPTION), emoji: false }, options },
    ],
  };
}

/** Lines and bullets as one block of rich text, in which nothing is parsed. */
export function richText(message: Pick<Message, 'lines' | 'bullets'>, key?: string): KnownBlock {
  const bullets = message.bullets?.slice(0, MOST_BULLETS) ?? [];
  const elements: (
    | RichTextSection
    | { type: 'rich_text_list'; style: 'bullet'; elements: RichTextSection[] }
  )[] = [section(message.lines)];
  if (bullets.length > 0) {
    elements.push({
      type: 'rich_text_list',
      style: 'bullet',
      elements: bullets.map((line) => section([line])),
    });
  }
  const left = (message.bullets?.length ?? 0) - bullets.length;
  if (left > 0) elements.push(section([[{ type: 'text', text: `… and ${left} more` }]]));
  return { type: 'rich_text', ...(key ? { block_id: key } : {}), elements };
}

function section(lines: readonly Phrase[]): RichTextSection {
  const elements = lines.flatMap((line, index) =>
    index === 0 ? toElements(line) : [{ type: 'text' as const, text: '\n' }, ...toElements(line)],
  );
  return { type: 'rich_text_section', elements };
}

function button(one: Button): SlackButton {
  return {
    type: 'button',
    action_id: one.routeId,
    text: { type: 'plain_text', text: one.label },
    value: one.value,
    ...(one.style ? { style: one.style } : {}),
  };
}

/** The action id of every menu; its lines name their routes themselves. */
export const MENU_ID = 'menu';

/** A menu's line as its option's value: which route, and the route's value. */
const MENU_LINE = /^([a-z-]+\.[a-z-]+) (\S*)$/;

/** The route and value of a menu's line; undefined for what is none. */
export function menuLine(value: string): { routeId: string; value: string } | undefined {
  const [, routeId, carried] = MENU_LINE.exec(value) ?? [];
  return routeId === undefined || carried === undefined ? undefined : { routeId, value: carried };
}

function overflow(menu: readonly Button[]): Overflow[] {
  if (menu.length === 0) return [];
  const options = menu.slice(0, MOST_MENU_LINES).map(({ label, routeId, value }) => ({
    text: { type: 'plain_text' as const, text: plain(label, LONGEST_OPTION), emoji: false },
    value: `${routeId} ${value}`,
  }));
  return [{ type: 'overflow', action_id: MENU_ID, options }];
}

function select(picker: Picker): {
  type: 'external_select';
  action_id: string;
  placeholder: { type: 'plain_text'; text: string; emoji: false };
  min_query_length: number;
} {
  return {
    type: 'external_select',
    action_id: picker.routeId,
    placeholder: { type: 'plain_text', text: plain(picker.placeholder, LONGEST_PLACEHOLDER), emoji: false },
    min_query_length: 0,
  };
}

/** The whole message as one text, for notifications, screen readers and old clients. */
function sentence(message: Message): string {
  const lines = [
    ...message.lines,
    ...(message.bullets ?? []).map(bulleted),
    ...(message.table?.rows ?? []).map((row) => bulleted([{ type: 'text', text: row.join(' · ') }])),
    ...(message.note ? [message.note] : []),
  ];
  let text = '';
  for (const [index, line] of lines.entries()) {
    const next = toText(line);
    if (index === 0) text = cut(next);
    else if (text.length + next.length + 1 > LONGEST_TEXT) {
      return `${text}\n… and ${lines.length - index} more lines`;
    } else text = `${text}\n${next}`;
  }
  return text;
}

/** At most the longest text, never ending inside an escape or a mention. */
function cut(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT).replace(/[&<][^;>]*$/, '')}…`;
}

function bulleted(line: Phrase): Phrase {
  return [{ type: 'text', text: '• ' }, ...line];
}
