import type {
  Button as SlackButton,
  KnownBlock,
  Overflow,
  PlainTextElement,
  PlainTextOption,
} from '@slack/types';
import { oncePer } from '../once-per.ts';
import { chartBlock, type MessageBlock, rowWords, type Table, tableBlock } from './figures.ts';
import type { Form } from './forms.ts';
import { bulletsOf, type Button, type Choice, type Folded, type Message, type Row } from './message.ts';
import { blankBlock, externalSelect, selectSeveral } from './selects.ts';
import { textAlone, textBeside } from './message-text.ts';
import { type Phrase, plain } from './phrase.ts';
import { bulletList, linesSection, moreSection, richTextBlock, sizeOf } from './rich-text.ts';

/** A message as Slack takes it. */
export interface Rendered {
  readonly text: string;
  readonly blocks: MessageBlock[];
}

const MAX_MENU_LINES = 5;
/** Buttons on one line; a phone shows two or three beside each other. */
const MAX_ROW = 5;
/** So many can be picked at once. */
const MAX_PICKED = 50;
const MAX_OPTION = 75;
const MAX_LABEL = 75;
const MAX_SPOKEN_ID = 40;
const MAX_PLACEHOLDER = 150;
const MAX_VALUE = 150;
/** A select shows no more than these. */
export const MAX_OPTIONS = 100;

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
    title: { type: 'plain_text', text: plain(title, MAX_PLACEHOLDER), emoji: false },
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

/** Buttons on one line. */
function buttonRow(buttons: readonly Button[]): SlackButton[] {
  const shown = buttons.slice(0, MAX_ROW);
  return shown.map((one, index) => button(one, shown.slice(0, index).filter(isTwinOf(one)).length));
}

/** Choices as options of a select: plain text, at most 100. */
export function toOptions(choices: readonly Choice[]): PlainTextOption[] {
  // One value that Slack refuses would spoil the whole answer.
  const fitting = choices.filter(({ value }) => value.length >= 1 && value.length <= MAX_VALUE);
  return fitting.slice(0, MAX_OPTIONS).map((choice) => ({
    text: { type: 'plain_text', text: plain(choice.label, MAX_OPTION), emoji: false },
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
      { label: { type: 'plain_text', text: plain(heading, MAX_OPTION), emoji: false }, options },
    ],
  };
}

/** Lines and bullets as one block of rich text, in which nothing is parsed, within the size of a message. */
export function richText({ lines, bullets = [] }: Pick<Message, 'lines' | 'bullets'>): KnownBlock {
  const top = linesSection(lines, MAX_LINES_CHARACTERS);
  return richTextBlock([top, ...bulletList(bullets, MAX_BLOCKS_CHARACTERS - sizeOf(top)).elements]);
}

function isTwinOf({ routeId }: Button): (other: Button) => boolean {
  return (other) => other.routeId === routeId;
}

/** Slack takes each action id once in a block: a second button of a route has a number after its id. */
const TWIN = /#\d$/;

/** The route that an action id names. */
export function routeIdOf(actionId: string): string {
  return actionId.replace(TWIN, '');
}

function button(one: Button, twinsBefore: number): SlackButton {
  return {
    type: 'button',
    action_id: twinsBefore === 0 ? one.routeId : `${one.routeId}#${twinsBefore}`,
    text: { type: 'plain_text', text: plain(one.label, MAX_LABEL), emoji: false },
    value: one.value,
    style: one.style,
    ...(one.about && { accessibility_label: spokenLabel(one.label, one.about) }),
    ...(one.url === undefined ? {} : { url: one.url }),
  };
}

/** What a screen reader says of a button: "Restart web-1 (101)". A long name is cut, so that the id stays. */
function spokenLabel(label: string, { id, name }: NonNullable<Button['about']>): string {
  const verb = plain(label.replace(/…$/u, ''), MAX_LABEL);
  const idWords = ` (${plain(id, MAX_SPOKEN_ID)})`;
  const room = MAX_LABEL - verb.length - idWords.length - 1;
  if (room < 1) return plain(`${verb}${idWords}`, MAX_LABEL);
  let shown = plain(name, room);
  for (let most = room; shown.length > room; most--) shown = plain(name, most);
  return `${verb} ${shown}${idWords}`;
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
  const options = menu.slice(0, MAX_MENU_LINES).map(({ label, routeId, value, url }) => ({
    text: { type: 'plain_text' as const, text: plain(label, MAX_OPTION), emoji: false },
    value: `${routeId} ${value}`,
    ...(url === undefined ? {} : { url }),
  }));
  return [{ type: 'overflow', action_id: MENU_ID, options }];
}
