import type { Channel } from './channel.ts';
import type { Content } from './posted-message.ts';

/** A message that Slack posts by itself once its time has come. */
export interface ScheduledMessage {
  readonly id: string;
  readonly channel: Channel;
  readonly content: Content;
  /** Seconds since 1970. */
  readonly postAt: number;
  readonly createdAt: number;
}

/**
 * Slack answers that a message is deleted that is due in less than this, and posts it all the same:
 * https://github.com/slackapi/bolt-js/issues/1857. So it counts as deleted, and isn't.
 */
const KEPT_ALL_THE_SAME_S = 5 * 60;
/** A timer that waits for longer looks again in between: a clock of the sandbox may run faster. */
const LOOK_EVERY_MS = 250;

/** What is to be posted later. `clock` in ms; `post` posts one. */
export class Scheduled {
  readonly #clock: () => number;
  readonly #post: (message: ScheduledMessage) => void;
  readonly #all = new Map<string, ScheduledMessage>();
  readonly #deleted = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(clock: () => number, post: (message: ScheduledMessage) => void) {
    this.#clock = clock;
    this.#post = post;
  }

  /** What is listed: what is neither posted nor deleted, the next first. */
  get pending(): readonly ScheduledMessage[] {
    return [...this.#all.values()]
      .filter(({ id }) => !this.#deleted.has(id))
      .toSorted((one, other) => one.postAt - other.postAt);
  }

  /** Seconds since 1970. */
  get now(): number {
    return Math.floor(this.#clock() / 1_000);
  }

  add(message: Omit<ScheduledMessage, 'createdAt'>): void {
    this.#all.set(message.id, { ...message, createdAt: this.now });
    this.#wait();
  }

  delete({ id, postAt }: ScheduledMessage): void {
    if (postAt - this.now < KEPT_ALL_THE_SAME_S) this.#deleted.add(id);
    else this.#all.delete(id);
  }

  /** Posts what is due by the clock, or so many ms after. */
  postDue(aheadMs = 0): void {
    const now = this.#clock() + aheadMs;
    const due = [...this.#all.values()].filter(({ postAt }) => postAt * 1_000 <= now);
    for (const message of due.toSorted((one, other) => one.postAt - other.postAt)) {
      this.#all.delete(message.id);
      this.#deleted.delete(message.id);
      this.#post(message);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #wait(): void {
    this.#timer ??= setInterval(() => {
      this.postDue();
      if (this.#all.size === 0) this.close();
    }, LOOK_EVERY_MS).unref();
  }
}
