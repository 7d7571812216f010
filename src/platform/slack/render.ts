import type { KnownBlock } from '@slack/types';
import { oncePer } from '../once-per.ts';
import { chartBlock, type MessageBlock, rowWords, type Table, tableBlock } from './figures.ts';
import type { Form } from './forms.ts';
import { buttonRow, blankBlock, externalSelect, selectSeveral, overflow, plainText } from './controls.ts';
import { bulletsOf, type Folded, type Message, type Row } from './message.ts';
import { textAlone, textBeside } from './message-text.ts';
import type { Phrase } from './phrase.ts';
import { bulletList, linesSection, moreSection, richTextBlock, sizeOf } from './rich-text.ts';

/** A message as Slack takes it. */
export interface Rendered {
  readonly text: string;
  readonly blocks: MessageBlock[];
}

/** So many can be picked at once. */
const MAX_PICKED = 50;
const MAX_TITLE = 150;

/** Slack doesn't say how large a message may be; refusals are reported from 11,300 characters of JSON on. */
const MAX_BLOCKS_CHARACTERS = 9_900;
/** What lines and a note may take of that where more is to be shown. */
const MAX_LINES_CHARACTERS = 4_000;
const MAX_NOTE_CHARACTERS = 1_000;
/** A picture goes before the list and the table it belongs to get less than this. */
const MIN_ROWS_CHARACTERS = 2_500;

/**
 * A message as `text` and blocks: below 10,000 characters of JSON, and with a count of what did not fit. `key` marks the
 * first block, so that the message can be found again in the channel's history. In the form of text there are no blocks.
 */
export function render(message: Message, key?: string, form: Form = 'whole'): Rendered {
  if (form === 'text') return { text: textAlone(message), blocks: [] };
  const shown = inForm(message, form);
  return {
    text: textBeside(message),
    blocks: (key === undefined ? laidOut(shown) : layOut(shown, key)).blocks,
  };
}

/** How many of a message's bullets and of its table's rows are shown. */
export function shownOf(message: Message): { bullets: number; rows: number } {
  const { bullets, rows } = laidOut(message);
  return { bullets, rows };
}

/** What a list measures to see what fits is what is sent of it. */
const laidOut = oncePer((message: Message) => layOut(message));

function layOut(message: Message, key?: string): { blocks: MessageBlock[]; bullets: number; rows: number } {
  const { lines, bullets = [], moreBullets, chart, table, folded, rows = [], note } = message;
  const below: MessageBlock[] = [
    ...rows.flatMap(rowBlocks),
    ...(note ? [richTextBlock([linesSection([note], MAX_NOTE_CHARACTERS)])] : []),
    ...pressable(message),
  ];
  const isMore = bullets.length > 0 || table !== undefined || folded !== undefined;
  let room = MAX_BLOCKS_CHARACTERS - sizeOf(below) - sizeOf(richTextBlock([], key));
  const top = linesSection(lines, isMore ? Math.min(MAX_LINES_CHARACTERS, room) : room);
  room -= sizeOf(top);
  const picture = chart && chartBlock(chart);
  const hasRoom = picture && room - sizeOf(picture) >= (isMore ? MIN_ROWS_CHARACTERS : 0);
  if (hasRoom) room -= sizeOf(picture);
  const least = folded ? sizeOf(foldedBlock(folded, 0)) : 0;
  room -= least;
  const list = bulletList(bullets, table ? room / 2 : room, moreBullets);
  // A long list is measured again only where something follows it.
  if ((table || folded) && bullets.length > 0) room -= sizeOf(list.elements);
  const unfolded = folded && foldedBlock(folded, least + (table ? room / 2 : room));
  if (unfolded && table) room -= sizeOf(unfolded) - least;
  const figures =
    table && tableBlock(table, room - sizeOf(richTextBlock([moreSection(table.rows.length, 'rows')])));
  return {
    bullets: list.shown,
    rows: (table?.rows.length ?? 0) - (figures?.left ?? 0),
    blocks: [
      richTextBlock([top, ...list.elements], key),
      ...(unfolded ? [unfolded] : []),
      ...(hasRoom ? [picture] : []),
      ...(figures ? [figures.block] : []),
      ...(figures && figures.left > 0 ? [richTextBlock([moreSection(figures.left, 'rows')])] : []),
      ...below,
    ],
  };
}

function inForm(message: Message, form: Form): Message {
  if (form === 'whole' || !(message.chart || message.table || message.folded)) return message;
  const { chart: _, table, folded, ...inLines } = message;
  const plainly = folded ? { ...inLines, bullets: bulletsOf(message) } : inLines;
  if (form === 'plain-figures') {
    return table ? { ...plainly, table: { ...table, caption: undefined } } : plainly;
  }
  return { ...plainly, bullets: [...(plainly.bullets ?? []), ...rowsAsBullets(table)] };
}

/** Lines that a reader unfolds, of at most `room` characters of JSON. */
function foldedBlock({ title, bullets }: Folded, room: number): KnownBlock {
  const block = (elements: Parameters<typeof richTextBlock>[0]): KnownBlock => ({
    type: 'container',
    title: plainText(title, MAX_TITLE),
    is_collapsible: true,
    default_collapsed: true,
    child_blocks: [{ type: 'rich_text', elements }],
  });
  return block(bulletList(bullets, room - sizeOf(block([]))).elements);
}

/** A table where only lists are taken. */
function rowsAsBullets(table: Table | undefined): Phrase[] {
  return (table?.rows ?? []).map((row) => [{ type: 'text', text: rowWords(row) }]);
}

/** The blocks of what can be pressed or picked. */
function pressable({
  picker,
  blanks = [],
  several,
  filters = [],
  buttons = [],
  menu = [],
}: Message): MessageBlock[] {
  const narrowing = buttonRow(filters);
  const pressed = [...buttonRow(buttons), ...overflow(menu)];
  const id = picker?.keeps === undefined ? {} : { block_id: picker.keeps };
  return [
    ...(narrowing.length > 0 ? [{ type: 'actions' as const, elements: narrowing }] : []),
    ...(picker ? [{ type: 'actions' as const, ...id, elements: [externalSelect(picker)] }] : []),
    ...blanks.map(blankBlock),
    ...(several
      ? [
          {
            type: 'actions' as const,
            block_id: several.keeps,
            elements: [selectSeveral(several, MAX_PICKED), ...buttonRow(several.buttons)],
          },
        ]
      : []),
    ...(pressed.length > 0 ? [{ type: 'actions' as const, elements: pressed }] : []),
  ];
}

/** So few that what they say needs no more than this. */
const MAX_ROW_CHARACTERS = 600;

function rowBlocks({ line, buttons }: Row): MessageBlock[] {
  const pressed = buttonRow(buttons);
  return [
    richTextBlock([linesSection([line], MAX_ROW_CHARACTERS)]),
    ...(pressed.length > 0 ? [{ type: 'actions' as const, elements: pressed }] : []),
  ];
}

/** Lines and bullets as one block of rich text, in which nothing is parsed, within the size of a message. */
export function richText({ lines, bullets = [] }: Pick<Message, 'lines' | 'bullets'>): KnownBlock {
  const top = linesSection(lines, MAX_LINES_CHARACTERS);
  return richTextBlock([top, ...bulletList(bullets, MAX_BLOCKS_CHARACTERS - sizeOf(top)).elements]);
}
