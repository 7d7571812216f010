import type { Message } from './message.ts';
import { toPlainText } from './phrase.ts';

/** The words of a message for who is not in Slack: its lines, what is listed in it, its note, and the addresses that its buttons open. */
export function plainMessage({ lines, bullets = [], note, buttons = [] }: Message): string {
  return [
    ...lines.map(toPlainText),
    ...bullets.map((bullet) => `• ${toPlainText(bullet)}`),
    ...(note ? [toPlainText(note)] : []),
    ...buttons.flatMap(({ label, url }) => (url === undefined ? [] : [`${label}: ${url}`])),
  ].join('\n');
}
