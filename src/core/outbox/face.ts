import { createHash } from 'node:crypto';
import type { Message } from '../../platform/slack/message.ts';
import { render } from '../../platform/slack/render.ts';

/** What a message shows, as a short digest: equal digests need no edit. */
export function digest(message: Message): string {
  return createHash('sha256')
    .update(JSON.stringify(render(message)))
    .digest('base64url')
    .slice(0, 22);
}
