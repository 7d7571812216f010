import type { PlainTextElement } from '@slack/types';
import { plain } from './phrase.ts';

/** Words where Slack formats nothing: on one line, at most `longest` characters, and `:x:` is no emoji. */
export function plainText(text: string, longest: number): PlainTextElement {
  return { type: 'plain_text', text: plain(text, longest), emoji: false };
}
