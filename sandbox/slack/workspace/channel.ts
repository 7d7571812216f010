import type { PostedMessage } from './posted-message.ts';

export type ChannelKind = 'public' | 'private' | 'im';

/** A channel to begin with. People are given by handle or id; the bot is a member unless set otherwise. */
export interface ChannelSetup {
  readonly name: string;
  readonly id?: string;
  readonly kind?: 'public' | 'private';
  readonly isArchived?: boolean;
  readonly isShared?: boolean;
  readonly botIsMember?: boolean;
  /** Whether every message with blocks is refused there, as by clients and workspaces that know no such block. */
  readonly refusesBlocks?: boolean;
  /** Everybody who is not deactivated, when left out. */
  readonly members?: readonly string[];
}

/** A line that is said with one press: what stands on it, and what is said. */
interface Prompt {
  readonly title: string;
  readonly message: string;
}

/** A channel or a direct message, with all that was said in it. */
export class Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly isShared: boolean;
  readonly refusesBlocks: boolean;
  readonly members: Set<string>;
  isArchived: boolean;
  /** What the bot last suggested to say to it, in a direct message. */
  prompts: readonly Prompt[] = [];
  readonly #all: PostedMessage[] = [];
  readonly #findId: (who: string) => string;

  constructor(setup: {
    id: string;
    name: string;
    kind: ChannelKind;
    members: Iterable<string>;
    isArchived?: boolean;
    isShared?: boolean;
    refusesBlocks?: boolean;
    findId: (who: string) => string;
  }) {
    this.id = setup.id;
    this.name = setup.name;
    this.kind = setup.kind;
    this.members = new Set(setup.members);
    this.isArchived = setup.isArchived ?? false;
    this.isShared = setup.isShared ?? false;
    this.refusesBlocks = setup.refusesBlocks ?? false;
    this.#findId = setup.findId;
  }

  /** What everybody in the channel sees, thread replies included, oldest first. */
  get messages(): PostedMessage[] {
    return this.#all.filter((message) => !message.deleted && message.ephemeralFor === undefined);
  }

  /** What one person sees: everybody's messages and those shown only to them. */
  seenBy(who: string): PostedMessage[] {
    const id = this.#findId(who);
    return this.#all.filter(
      (message) => !message.deleted && (message.ephemeralFor === undefined || message.ephemeralFor === id),
    );
  }

  /** The messages shown only to this person. */
  ephemeralFor(who: string): PostedMessage[] {
    return this.seenBy(who).filter((message) => message.ephemeralFor !== undefined);
  }

  /** The replies under a message, without it. */
  replies(ts: string): PostedMessage[] {
    return this.messages.filter((message) => message.isReply && message.thread_ts === ts);
  }

  /** Every message ever, deleted and ephemeral ones included, oldest first. */
  get history(): readonly PostedMessage[] {
    return this.#all;
  }

  find(ts: string): PostedMessage | undefined {
    return this.#all.find((message) => message.ts === ts && !message.deleted);
  }

  /** How people write it: `#ops`, or `@ana` for a direct message. */
  get label(): string {
    return this.kind === 'im' ? `@${this.name}` : `#${this.name}`;
  }

  add(message: PostedMessage): PostedMessage {
    this.#all.push(message);
    return message;
  }
}
