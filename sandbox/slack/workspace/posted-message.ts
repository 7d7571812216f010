import type { Json } from '../json.ts';
import { compact } from '../json.ts';
import type { PostedFile } from './files.ts';

/** What a message says; one of these for each version of it. */
export interface Content {
  readonly text: string;
  readonly blocks: readonly Json[];
  readonly files?: readonly PostedFile[];
  readonly metadata?: Json;
  /** Whether the top-level text's @names and #names are linked (`link_names` or `parse: full`). */
  readonly linksNames?: boolean;
  /** Whether addresses in the top-level text stay words (`parse: none`). */
  readonly isLiteral?: boolean;
}

/** Who wrote a message, and where it stands. */
export interface Origin {
  readonly ts: string;
  readonly channel: string;
  readonly user: string;
  readonly bot_id?: string;
  readonly app_id?: string;
  readonly team?: string;
  readonly thread_ts?: string;
  /** The only person who sees it; undefined for a message that everybody sees. */
  readonly ephemeralFor?: string;
}

/** A message in a channel. It lives: an edit shows on the same object, with the earlier versions kept. */
export class PostedMessage {
  readonly ts: string;
  readonly channel: string;
  readonly user: string;
  readonly bot_id: string | undefined;
  readonly thread_ts: string | undefined;
  readonly ephemeralFor: string | undefined;
  readonly origin: Origin;
  /** Earlier versions, oldest first. */
  readonly edits: Content[] = [];
  deleted = false;
  #now: Content;

  constructor(origin: Origin, content: Content) {
    this.origin = origin;
    this.ts = origin.ts;
    this.channel = origin.channel;
    this.user = origin.user;
    this.bot_id = origin.bot_id;
    this.thread_ts = origin.thread_ts;
    this.ephemeralFor = origin.ephemeralFor;
    this.#now = content;
  }

  get content(): Content {
    return this.#now;
  }
  get text(): string {
    return this.#now.text;
  }
  get blocks(): readonly Json[] {
    return this.#now.blocks;
  }
  get files(): readonly PostedFile[] {
    return this.#now.files ?? [];
  }
  get metadata(): Json | undefined {
    return this.#now.metadata;
  }

  /** Puts a new version in place of the present one. */
  edit(content: Content): void {
    this.edits.push(this.#now);
    this.#now = content;
  }

  /** True for a reply in a thread that the channel itself does not show. */
  get isReply(): boolean {
    return this.thread_ts !== undefined && this.thread_ts !== this.ts;
  }

  /** The message as the Web API and the payloads give it. */
  toJson({ withMetadata = false }: { withMetadata?: boolean } = {}): Json {
    return compact({
      type: 'message',
      user: this.user,
      bot_id: this.bot_id,
      app_id: this.origin.app_id,
      team: this.origin.team,
      text: this.text,
      ts: this.ts,
      thread_ts: this.thread_ts,
      blocks: this.blocks.length > 0 ? this.blocks : undefined,
      files:
        this.files.length > 0
          ? this.files.map(({ id, name, title, bytes }) => ({ id, name, title, size: bytes.length }))
          : undefined,
      metadata: withMetadata ? this.metadata : undefined,
      edited: this.edits.length > 0 ? { user: this.user, ts: this.ts } : undefined,
    });
  }
}
