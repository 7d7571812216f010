import type { Sandbox } from '../sandbox/sandbox.ts';
import type { PostedMessage } from '../sandbox/slack/index.ts';

/** What each person was told alone in #ops, kept by person: hundreds wait at once, and looking through it all is dear. */
export interface Mailboxes {
  /** Oldest first; a message that was replaced shows what it says now. */
  toldTo(userId: string): readonly PostedMessage[];
}

export function createMailboxes({ slack }: Sandbox): Mailboxes {
  const boxes = new Map<string, PostedMessage[]>();
  let read = 0;
  const sort = (): void => {
    const { history } = slack.channel('#ops');
    for (; read < history.length; read++) {
      const message = history[read];
      if (message?.ephemeralFor === undefined) continue;
      boxes.set(message.ephemeralFor, [...(boxes.get(message.ephemeralFor) ?? []), message]);
    }
  };
  return {
    toldTo: (userId) => {
      sort();
      return (boxes.get(userId) ?? []).filter((message) => !message.deleted);
    },
  };
}
