import type { Sandbox } from '../sandbox/sandbox.ts';
import type { PostedMessage } from '../sandbox/slack/index.ts';

/** What each person alone reads in the channels, kept by person: hundreds wait at once, and looking through it all costs much. */
export interface Mailboxes {
  /** Oldest first; a message that was replaced shows what it says now. */
  privateTexts(userId: string): readonly PostedMessage[];
}

export function createMailboxes({ slack }: Pick<Sandbox, 'slack'>, channels: readonly string[]): Mailboxes {
  const boxes = new Map<string, PostedMessage[]>();
  const shelves = channels.map((name) => ({ channel: slack.channel(name), read: 0 }));
  const sort = (): void => {
    for (const shelf of shelves) {
      const { history } = shelf.channel;
      for (; shelf.read < history.length; shelf.read++) {
        const message = history[shelf.read];
        if (message?.ephemeralFor === undefined) continue;
        boxes.set(message.ephemeralFor, [...(boxes.get(message.ephemeralFor) ?? []), message]);
      }
    }
  };
  return {
    privateTexts: (userId) => {
      sort();
      return (boxes.get(userId) ?? []).filter((message) => !message.deleted);
    },
  };
}
