import type { KnownBlock, RichTextElement, RichTextSection } from '@slack/types';
import { oncePer } from '../once-per.ts';
import { type Phrase, toElements } from './phrase.ts';

/** Rich text within a number of characters of JSON: what does not fit is left out, and how much that is, is said. */

/** A list shows no more than these. */
const MAX_BULLETS = 60;
const MAX_BULLET_CHARACTERS = 1_500;
const ELLIPSIS: RichTextElement = { type: 'text', text: '…' };

/** The characters that a value takes on its way to Slack. */
export function sizeOf(value: unknown): number {
  return JSON.stringify(value).length + 1;
}

/** "… and 34 more", with the word for what there is more of where it isn't plain. */
export function moreWords(count: number, noun = ''): string {
  const word = count === 1 ? noun.replace(/s$/, '') : noun;
  return word === '' ? `… and ${count} more` : `… and ${count} more ${word}`;
}

/** A section with one such sentence. */
export function moreSection(count: number, noun?: string): RichTextSection {
  return { type: 'rich_text_section', elements: [{ type: 'text', text: moreWords(count, noun) }] };
}

const SECTION_SIZE = sizeOf({ type: 'rich_text_section', elements: [] });
const MORE_ROOM = sizeOf(moreSection(1_000_000_000, 'lines'));

/** Lines as one section of at most `room` characters. One that is too long is cut, and those after it are counted. */
export function linesSection(lines: readonly Phrase[], room: number): RichTextSection {
  const elements: RichTextElement[] = [];
  let left = room - SECTION_SIZE - MORE_ROOM;
  for (const [index, line] of lines.entries()) {
    const given: RichTextElement[] = [
      ...(index === 0 ? [] : [{ type: 'text' as const, text: '\n' }]),
      ...toElements(line),
    ];
    const { elements: fitting, size } = cutElements(given, left);
    left -= size;
    elements.push(...fitting);
    const rest = lines.length - index - 1;
    if (fitting.at(-1) !== ELLIPSIS && fitting.length === given.length) continue;
    if (rest > 0) elements.push({ type: 'text', text: `\n${moreWords(rest, 'lines')}` });
    break;
  }
  return { type: 'rich_text_section', elements };
}

/** One bullet and the characters that it takes. A list is measured before it is drawn, and a line may stand in several lists. */
const bulletSection = oncePer(
  (bullet: Phrase): { readonly section: RichTextSection; readonly size: number } => {
    const { elements, size } = cutElements(toElements(bullet), MAX_BULLET_CHARACTERS);
    return { section: { type: 'rich_text_section', elements }, size: size + SECTION_SIZE };
  },
);

/** As many bullets as fit into `room` characters, at most sixty, and how many that are. `more`: how many were not given. */
export function bulletList(
  bullets: readonly Phrase[],
  room: number,
  more = 0,
): {
  elements: ({ type: 'rich_text_list'; style: 'bullet'; elements: RichTextSection[] } | RichTextSection)[];
  shown: number;
} {
  const sections: RichTextSection[] = [];
  let left = room - sizeOf({ type: 'rich_text_list', style: 'bullet', elements: [] }) - MORE_ROOM;
  for (const bullet of bullets.slice(0, MAX_BULLETS)) {
    const { section, size } = bulletSection(bullet);
    left -= size;
    if (left < 0) break;
    sections.push(section);
  }
  const shown = sections.length;
  const rest = bullets.length - shown + more;
  return {
    shown,
    elements: [
      ...(shown > 0
        ? [{ type: 'rich_text_list' as const, style: 'bullet' as const, elements: sections }]
        : []),
      ...(rest > 0 ? [moreSection(rest)] : []),
    ],
  };
}

/** Sections and lists as a block; `key` names it. */
export function richTextBlock(
  elements: (KnownBlock & { type: 'rich_text' })['elements'],
  key?: string,
): KnownBlock {
  return { type: 'rich_text', ...(key ? { block_id: key } : {}), elements };
}

interface Cut {
  readonly elements: RichTextElement[];
  /** The characters that they take. */
  readonly size: number;
}

/** The elements as far as they fit; what is cut ends with an ellipsis, and a text is never cut inside a character. */
function cutElements(elements: readonly RichTextElement[], room: number): Cut {
  const sizes = elements.map(sizeOf);
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  if (whole <= room) return { elements: [...elements], size: whole };
  const most = room - sizeOf(ELLIPSIS);
  let used = 0;
  const count = sizes.findIndex((size) => (used += size) > most);
  used -= sizes[count] ?? 0;
  const cut = elements[count];
  const start = cut?.type === 'text' ? startOf(cut, most - used) : undefined;
  const fitting = [...elements.slice(0, count), ...(start ? [start] : []), ELLIPSIS];
  return { elements: fitting, size: fitting.reduce((sum, element) => sum + sizeOf(element), 0) };
}

/** The start of a text that fits; undefined for none. */
function startOf<T extends { text: string }>(element: T, room: number): T | undefined {
  let left = room - sizeOf({ ...element, text: '' });
  let text = '';
  for (const character of element.text) {
    left -= JSON.stringify(character).length - 2;
    if (left < 0) break;
    text += character;
  }
  return text === '' ? undefined : { ...element, text };
}
