import { hash } from 'node:crypto';
import type { Message } from '../../platform/slack/message.ts';
import { render } from '../../platform/slack/render.ts';

/** What a message shows, as a short hash: equal hashes need no edit. */
export function contentHash(message: Message): string {
  return hashOf(render(message));
}

/** A short hash of anything that JSON can hold. */
export function hashOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 22);
}
