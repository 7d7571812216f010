import type { Message } from '../../platform/slack/message.ts';
import { ago, say, time } from '../../platform/slack/phrase.ts';

/** What was read last, while the service is down: that first, and nothing that changes any of it. `readAt`: Unix ms. Pure. */
export function fromBefore(shown: Message, readAt: number): Message {
  const { several: _, ...rest } = shown;
  const why = say`The hosting service doesn't answer. This is from ${time(readAt)}, ${ago(readAt)}.`;
  return { ...rest, lines: [why, ...shown.lines] };
}
