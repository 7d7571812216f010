import type { Message } from '../../platform/slack/message.ts';
import { say } from '../../platform/slack/phrase.ts';

/** Something was asked from a workspace that has removed the bot, or never had it. */
export function notInstalled(): Message {
  return { lines: [say`I'm not installed in this workspace, so nothing was done.`] };
}

/** Nobody can tell now whether it is installed there. */
export function notKnown(): Message {
  return {
    lines: [
      say`I can't tell right now whether I'm installed in this workspace, so nothing was done. Try again in a minute.`,
    ],
  };
}
