import { oncePer } from '../once-per.ts';
import { rowWords } from './figures.ts';
import type { Message } from './message.ts';
import { type Phrase, plain, toText, channel, group, person, type Piece, say, time } from './phrase.ts';
import { moreWords } from './rich-text.ts';

/** chat.update refuses a text past 4,000 characters; the rest is for what says how much was left out. */
const MAX_TEXT_CHARACTERS = 3_800;
const MAX_LABELS = 10;
const MAX_LABEL_CHARACTERS = 30;

/** The whole message as one text beside its blocks, for notifications, screen readers and old clients. */
export function textBeside(message: Message): string {
  return toOneText(message, MAX_TEXT_CHARACTERS);
}

/** The message where nothing but text is taken: with a word on what can't be pressed there. */
export function textAlone(message: Message): string {
  const missing = missingWords(message)
    .map((words) => `\n${words}`)
    .join('');
  return `${toOneText(message, MAX_TEXT_CHARACTERS - missing.length)}${missing}`;
}

/**
 * Its lines one after another, and for how many of them each stands. A line is made only when it is taken: thousands of
 * them may not fit.
 */
function* linesOf({
  lines,
  bullets = [],
  moreBullets = 0,
  folded,
  table,
  rows = [],
  note,
}: Message): Generator<[string, number]> {
  for (const line of lines) yield [toText(line), 1];
  for (const bullet of bullets) yield [bulletText(bullet), 1];
  for (const bullet of folded?.bullets ?? []) yield [bulletText(bullet), 1];
  if (moreBullets > 0) yield [moreWords(moreBullets), moreBullets];
  for (const row of table?.rows ?? []) yield [bulletText([{ type: 'text', text: rowWords(row) }]), 1];
  for (const { line } of rows) yield [bulletText(line), 1];
  if (note) yield [toText(note), 1];
}

function countLines({
  lines,
  bullets = [],
  moreBullets = 0,
  folded,
  table,
  rows = [],
  note,
}: Message): number {
  const listed = bullets.length + (folded?.bullets.length ?? 0) + moreBullets + (table?.rows.length ?? 0);
  return lines.length + listed + rows.length + (note ? 1 : 0);
}

function toOneText(message: Message, maxCharacters: number): string {
  let text = '';
  let taken = 0;
  for (const [next, count] of linesOf(message)) {
    if (taken === 0) text = cut(next, maxCharacters);
    else if (text.length + next.length + 1 > maxCharacters)
      return `${text}\n${moreWords(countLines(message) - taken, 'lines')}`;
    else text = `${text}\n${next}`;
    taken += count;
  }
  return text;
}

/** What stands whole or not at all: an escape, a mention or a date, a character. */
const UNITS = /&[a-z]+;|<[^>]*>|[\s\S]/gu;

/** At most so many characters, never ending inside an escape, a mention or a character. */
function cut(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  let start = '';
  for (const [unit] of text.matchAll(UNITS)) {
    if (start.length + unit.length > maxCharacters) break;
    start += unit;
  }
  return `${start}…`;
}

function missingWords({
  rows = [],
  filters = [],
  buttons = [],
  menu = [],
  picker,
  blanks = [],
  several,
}: Message): string[] {
  const labels = [...rows.flatMap((row) => row.buttons), ...filters, ...buttons, ...menu]
    .slice(0, MAX_LABELS)
    .map(({ label }) => toText([{ type: 'text', text: plain(label, MAX_LABEL_CHARACTERS) }]));
  const noun = labels.length === 1 ? 'The button' : 'The buttons';
  return [
    ...(picker || several
      ? [`The list to pick from can't be shown here: type the exact name or id instead.`]
      : []),
    ...(blanks.length > 0 ? [`The field can't be shown here: type the whole command instead.`] : []),
    ...(labels.length > 0
      ? [`${noun} ${labels.join(', ')} can't be shown here: type the command instead; help lists them.`]
      : []),
  ];
}

/** A line of a list; the same line may stand in several lists. */
const bulletText = oncePer((line: Phrase): string => `• ${toText(line)}`);

/** An id as Slack makes them, bare or as `toPlainText` writes it, or a time as that writes it. An id has a digit; a word seldom. */
const ID = String.raw`(?=[A-Z]*\d)[A-Z0-9]{8,20}`;
const NAMED = new RegExp(
  String.raw`<@([UW]${ID})>|<#([CDG]${ID})>|<!subteam\^(S${ID})>|\b([UWSC]${ID})\b|\b(\d{4}-\d\d-\d\d \d\d:\d\d) UTC`,
  'g',
);

/** A text with its people, groups and channels as mentions, and its times in the reader's zone. Pure. */
export function withMentions(text: string): Phrase {
  const phrase: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(NAMED)) {
    phrase.push(...verbatim(text.slice(from, match.index)), pieceOf(match));
    from = match.index + match[0].length;
  }
  return [...phrase, ...verbatim(text.slice(from))];
}

function pieceOf([text, userId, channelId, groupId, bare = '', at]: RegExpMatchArray): Piece {
  if (at !== undefined) return time(Date.parse(`${at.replace(' ', 'T')}Z`));
  const id = userId ?? channelId ?? groupId ?? bare;
  if (id.startsWith('C') || channelId !== undefined) return channel(id);
  if (id.startsWith('S')) return group(id);
  return id === '' ? { type: 'text', text } : person(id);
}

/** Foreign text with the spaces at its ends, which stand next to a mention. */
function verbatim(text: string): Phrase {
  if (text.trim() === '') return text === '' ? [] : say` `;
  const before = /^\s/.test(text) ? say` ` : [];
  const after = /\s$/.test(text) ? say` ` : [];
  return [...before, ...say`${text}`, ...after];
}
