import type { Channel } from '../workspace/channel.ts';
import type { PostedMessage } from '../workspace/posted-message.ts';
import { SlackNo } from '../api/refusal.ts';

const LIFE_MS = 30 * 60_000;
const USES = 5;

/** Where an answer over a response URL goes. */
export interface ResponseTarget {
  readonly channel: Channel;
  readonly userId: string;
  /** The message whose button was pressed. */
  readonly original?: PostedMessage;
}

/** Response URLs: good for five uses within thirty minutes. */
export class ResponseUrls {
  readonly #clock: () => number;
  readonly #nextId: (prefix: string) => string;
  readonly #all = new Map<string, { target: ResponseTarget; until: number; uses: number }>();

  constructor(clock: () => number, nextId: (prefix: string) => string) {
    this.#clock = clock;
    this.#nextId = nextId;
  }

  /** Gives the last part of the URL. */
  create(target: ResponseTarget): string {
    const id = this.#nextId('R');
    this.#all.set(id, { target, until: this.#clock() + LIFE_MS, uses: 0 });
    return id;
  }

  /** Counts one use; throws SlackNo when it is unknown, worn out or too old. */
  use(id: string): ResponseTarget {
    const found = this.#all.get(id);
    if (!found) throw new SlackNo('invalid_url');
    if (this.#clock() > found.until) throw new SlackNo('expired_url');
    if (found.uses >= USES) throw new SlackNo('used_url');
    found.uses += 1;
    return found.target;
  }
}
