import { SlackNo } from '../api/refusal.ts';

/** Trigger ids: good for as long as Slack waits for an acknowledgement, for one view, for the person who acted. */
export class Triggers {
  readonly #clock: () => number;
  readonly #nextId: (prefix: string) => string;
  readonly #lifeMs: number;
  readonly #all = new Map<string, { readonly userId: string; readonly until: number; used: boolean }>();

  constructor(clock: () => number, nextId: (prefix: string) => string, lifeMs: number) {
    this.#clock = clock;
    this.#nextId = nextId;
    this.#lifeMs = lifeMs;
  }

  create(userId: string): string {
    const id = `${this.#nextId('')}.${userId}`;
    this.#all.set(id, { userId, until: this.#clock() + this.#lifeMs, used: false });
    return id;
  }

  /** Spends a trigger and says whose it was; throws SlackNo when it is unknown, spent or too old. */
  spend(id: string | undefined): string {
    const trigger = this.#all.get(id ?? '');
    if (!trigger) throw new SlackNo('invalid_trigger_id');
    if (trigger.used) throw new SlackNo('exchanged_trigger_id');
    if (this.#clock() > trigger.until) throw new SlackNo('expired_trigger_id');
    trigger.used = true;
    return trigger.userId;
  }
}
