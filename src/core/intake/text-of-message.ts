import { z } from 'zod';
import { unmangle } from '../ask/words.ts';

/** As much of a message as is read. */
const MAX_TEXT = 3_000;
/** Slack nests less deep than this; deeper is nothing that people read. */
const MAX_DEPTH = 12;
/** Fields of messages, attachments and blocks that hold what people read, or hold such in turn. */
const FIELDS = [
  'text',
  'pretext',
  'title',
  'value',
  'fallback',
  'fields',
  'elements',
  'accessory',
  'rows',
  'blocks',
  'attachments',
] as const;
/** Parts of one line, which follow one another without a space. */
const IN_LINE = new Set(['rich_text_section', 'rich_text_quote', 'rich_text_preformatted']);

const objectSchema = z.record(z.string(), z.unknown());

/**
 * What a message of anybody says, without Slack's marks and on one line, at most 3,000 characters: its text, its blocks and
 * its attachments. Messages of other apps often have no text besides those. Pure, and never throws.
 */
export function textOfMessage(message: unknown): string {
  const text = collect(message, 0, { left: 4 * MAX_TEXT });
  return unmangle(text).slice(0, MAX_TEXT);
}

/** `room`: how many characters are still taken. */
function collect(part: unknown, depth: number, room: { left: number }): string {
  if (depth > MAX_DEPTH || room.left <= 0) return '';
  if (typeof part === 'string') {
    const taken = part.slice(0, room.left);
    room.left -= taken.length;
    return taken;
  }
  if (Array.isArray(part)) return joined(part, '\n', depth, room);
  const object = objectSchema.safeParse(part).data;
  if (!object) return '';
  return FIELDS.map((field) => {
    const value = object[field];
    const isLine = field === 'elements' && IN_LINE.has(String(object['type']));
    return isLine && Array.isArray(value) ? joined(value, '', depth, room) : collect(value, depth + 1, room);
  })
    .filter((text) => text !== '')
    .join('\n');
}

function joined(parts: readonly unknown[], between: string, depth: number, room: { left: number }): string {
  return parts
    .map((part) => collect(part, depth + 1, room))
    .filter((text) => text !== '')
    .join(between);
}
