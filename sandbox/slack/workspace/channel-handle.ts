import type { World } from '../world.ts';
import type { Channel } from './channel.ts';
import type { PostedMessage } from './posted-message.ts';

/** A channel in a test's hands: what is said there, and what may happen to it. */
export interface ChannelHandle {
  readonly id: string;
  /** What everybody sees, thread replies included, oldest first. */
  readonly messages: PostedMessage[];
  /** Everything ever posted, deleted and ephemeral messages included. */
  readonly history: readonly PostedMessage[];
  /** The last thing that everybody sees. Throws in an empty channel. */
  readonly last: PostedMessage;
  /** The ephemeral ones for this person too. */
  seenBy(who: string): PostedMessage[];
  /** Only what is shown to this person alone. */
  ephemeralFor(who: string): PostedMessage[];
  /** The replies under a message. */
  replies(ts: string): PostedMessage[];
  archive(): void;
  add(who: string): void;
}

/** By `#name` or id. Throws when there is no such channel. */
export function createChannelHandle({ workspace }: World, which: string): ChannelHandle {
  const channel: Channel = workspace.getChannel(which);
  const change = (what: () => void): void => {
    what();
    workspace.changes.tell();
  };
  return {
    id: channel.id,
    get messages() {
      return channel.messages;
    },
    get history() {
      return channel.history;
    },
    get last() {
      const last = channel.messages.at(-1);
      if (!last) throw new Error(`${channel.label} is empty`);
      return last;
    },
    seenBy: (who) => channel.seenBy(who),
    ephemeralFor: (who) => channel.ephemeralFor(who),
    replies: (ts) => channel.replies(ts),
    archive: () => change(() => (channel.isArchived = true)),
    add: (who) => change(() => channel.members.add(workspace.getPerson(who).id)),
  };
}
