import { isRecord, type Json, record, shown, string } from '../json.ts';
import type { Content } from '../workspace/posted-message.ts';

/** Text that Slack parses, and whether it also parses bare words such as `@here` in it. */
export interface ParsedText {
  readonly text: string;
  readonly parsesWords: boolean;
}

/** Every text of a message that Slack parses: the top-level one and mrkdwn objects. */
export function parsedTexts(content: Content): ParsedText[] {
  const top = { text: content.text, parsesWords: content.linksNames === true };
  return [top, ...content.blocks.flatMap(mrkdwnIn)];
}

/** Every object inside a message's blocks with one of these types. */
export function objectsOfType(value: unknown, types: readonly string[]): Json[] {
  if (Array.isArray(value)) return value.flatMap((one) => objectsOfType(one, types));
  if (!isRecord(value)) return [];
  const inside = Object.values(value).flatMap((one) => objectsOfType(one, types));
  return types.includes(shown(value['type'])) ? [value, ...inside] : inside;
}

function mrkdwnIn(block: Json): ParsedText[] {
  return objectsOfType(block, ['mrkdwn']).map((one) => ({
    text: string(record(one)['text']) ?? '',
    parsesWords: one['verbatim'] !== true,
  }));
}
