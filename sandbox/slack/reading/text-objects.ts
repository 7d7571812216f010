import { isRecord, type Json, record, records, shown, string } from '../json.ts';
import type { Content } from '../workspace/posted-message.ts';

/** Text that Slack parses, and whether it also parses bare words such as `@here` in it. */
export interface ParsedText {
  readonly text: string;
  readonly parsesWords: boolean;
}

/** Every text of a message that Slack parses: the top-level one, mrkdwn objects, markdown blocks, attachments. */
export function parsedTexts(content: Content): ParsedText[] {
  const top = { text: content.text, parsesWords: content.linksNames === true };
  const attached = (content.attachments ?? []).flatMap(textsOfAttachment);
  return [top, ...content.blocks.flatMap(mrkdwnIn), ...attached];
}

/** Every object inside a message's blocks with one of these types. */
export function objectsOfType(value: unknown, types: readonly string[]): Json[] {
  if (Array.isArray(value)) return value.flatMap((one) => objectsOfType(one, types));
  if (!isRecord(value)) return [];
  const inside = Object.values(value).flatMap((one) => objectsOfType(one, types));
  return types.includes(shown(value['type'])) ? [value, ...inside] : inside;
}

function mrkdwnIn(block: Json): ParsedText[] {
  return objectsOfType(block, ['mrkdwn', 'markdown']).map((one) => ({
    text: string(record(one)['text']) ?? '',
    parsesWords: one['verbatim'] !== true,
  }));
}

function textsOfAttachment(attachment: Json): ParsedText[] {
  const names = ['text', 'pretext', 'fallback', 'title'];
  const own = names.map((name) => ({ text: string(attachment[name]) ?? '', parsesWords: true }));
  return own.concat(records(attachment['blocks']).flatMap(mrkdwnIn));
}
